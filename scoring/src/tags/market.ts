import type { PhraseLists } from "./matcher.ts";

/** The market that a headline is about; see matcher.ts for the notation. */
export const marketPhrases: PhraseLists = {
  stock: `
    stocks|shares|equities
    + stock market|markets|exchange|split|price|prices
    stock ~1 rises|falls|jumps|drops|surges|soars|slides|tumbles|plunges|climbs|gains|rallies|slips|sinks|dips|higher|lower|up|down|is|moves
    equity market|markets|futures
    + wall street
    - oil|crude|grain|fuel|gold|wheat|corn|distillate|gasoline|business|housing stocks|stock
    - market|time shares
    - shares photo|photos|video|recipe|tips|her|his|story
    - =Stock|stock photo|photos|cube|cubes|car|image|images|pot|footage
    - chicken|vegetable|beef|fish|live|rolling|laughing|social stock
    - shares ~2 photo|photos|video|recipe|tips|secret|secrets|memories|story|pictures|advice|selfie|first|snap
    - castle|cemetery|village stocks
    - medieval|village|castle|town stocks
    - fish|cod|tuna|salmon|herring|crab|vaccine|medicine|food|blood|weapons|ammunition|uranium|sugar|coffee|cocoa|copper|coal|steel|diesel|jet|rice|grains|seed stocks|stock
    - shares ~1 border|her|his|their|concerns|concern|lead|spoils|title|prize|platform|stage|details|plans|name|room|home|bed|cockpit|a|an|the|my|our|your|why|how|what
    - stock|stocks|share ~1 index|indexes|indices
  `,
  etf: `
    + etf|etfs|etn|etns|etp|etps|ucits
    + exchange traded fund|funds|note|notes|product|products
    - etf|etfs provider|providers|issuer|issuers|sponsor|manager|managers|firm|giant|group|house|specialist
  `,
  crypto: `
    + crypto*
    - cryptograph*
    + bitcoin|bitcoins|btc|ethereum|ether|dogecoin|solana|xrp|litecoin|cardano|memecoin|memecoins|altcoin|altcoins
    + stablecoin|stablecoins|blockchain|defi|web3|nft|nfts|tokenized|tokenised|tokenization|airdrop
    digital asset|assets|currency|token|tokens
    token|tokens sale|launch|burn|holders|unlock|price
    =Ripple
    binance|coinbase
    - ether|token gesture|machine|bucket
    - ripple effect
    - solana beach
    - digital|crypto currency exhibition
    - cryptosporid*
    - cryptic*
    onchain
  `,
  forex: `
    forex|fx
    - fx network|series
    currency|currencies
    - digital currency|currencies
    exchange rate|rates
    dollar|euro|yen|sterling|pound|rupee|yuan|renminbi|franc|peso|lira|ruble|rouble|won|krona|krone|rand|real|zloty|forint|ringgit|baht|rupiah|loonie|aussie|kiwi|koruna|shekel ~1 rise|rises|fall|falls|gain|gains|slip|slips|weaken|weakens|strengthen|strengthens|firm|firms|steady|steadies|jump|jumps|drop|drops|hit|hits|against|index|ends|closes|edge|edges|hold|holds|slides|rallies|tumbles|weak|near|plunges|past|climbs|retreats|trades|opens|settles|lower|higher|recovers
    - dollar general|tree
    - million|billion|trillion dollar|euro|pound|yen
    - pound|pounds of
    - won ~1 against|hits
    support|supports|defend|defends|prop ~1 rupiah|rupee|yen|lira|peso|yuan|won|ruble|real|currency
    sells|sell|buys|sold|bought dollars
    eur|usd|gbp|aud|nzd|cad|chf|jpy usd|jpy|chf|cad|gbp|eur|nzd|cnh|cny|inr|mxn|try|zar
    + eurusd|gbpusd|usdjpy|audusd|usdcad|usdchf|nzdusd|eurgbp|eurjpy|gbpjpy|usdcnh|usdinr
    per dollar
    - currency of
    - real|minimum|nominal|average wages|wage|income|incomes|estate|madrid|life|time|deal|yields|gdp|terms
    - real|won|rand|pound|crown|sterling ~1 estate|madrid|sociedad|wages
    - won ~1 #|hits|gold|award|near|against|lower|higher
    - dog|animal pound
    - yen for|to
    - sterling silver|performance|work|effort|bank|job|lower|infrastructure
    dollar|euro|yen|sterling|rupee|yuan|renminbi|franc|peso|lira|ruble|rouble|krona|krone|rand|zloty|forint|ringgit|baht|rupiah|loonie|aussie|koruna|shekel|naira|cedi|taka|dinar|rial|dong|hryvnia|lei|leu|pula|kwacha|dirham|tenge|bolivar ~2 rise|rises|fall|falls|gain|gains|slip|slips|jump|jumps|drop|drops|steady|steadies|climb|climbs|edge|edges|settle|settles|slide|slides|rally|rallies|tumble|tumbles|surge|surges|hit|hits|slump|slumps|plunge|plunges|soar|soars|sink|sinks|rebound|rebounds|recover|recovers|ease|eases|dip|dips|retreat|retreats|advance|advances|spike|spikes|crash|crashes|top|tops|end|ends|close|closes|trade|trades|swing|swings|skid|skids|firm|firms|hold|holds|near|extend|extends|lower|higher|flat|futures|price|prices|weaken|weakens|strengthen|strengthens|pare|pares|ends|up|down
    - rand|dong|rial|dinar ~1 corp|corporation|report|study
    - aussie rules|rider|bowlers|rules|open
    - euro #|cup|championship|qualifier|final|finals|disney|zone|area|stoxx
    korean|canadian|australian|brazilian|indian|swiss|mexican|colombian|chilean|philippine|argentine|taiwan|singapore|zealand|hong won|dollar|real|rupee|franc|peso
    - canadian|australian|singapore|taiwan dollar bond|bonds
    devalu*
    carry trade
    fx|currency|forex intervention
    currency|yen|lira|rupee|dollar|yuan fixing|peg|intervention|devaluation|reference
    swedish|norwegian|danish|czech|icelandic crown ~1 rises|falls|gains|slips|weakens|firms|strengthens|jumps|drops|hits|eases|edges|slides|steady
    - dollar|pound|euro ~1 store|stores|shop|shops|menu|house|bill|bills|coin|coins|note|notes|tunnel|millions|vision|parking|cake|loaf
    - foreign ~1 currency|exchange reserves|reserve|bonds|bond|debt
    yen|rupee|yuan|lira|peso|ringgit|baht|rupiah|rouble|ruble|zloty|forint|naira|krona|krone|franc|sterling|euro|dollar|shilling ~4 high|low ~1 against|versus
    shilling|kyat|birr|leu|lari|manat|lev|guarani|riyal ~2 holds|steady|steadies|firms|weakens|gains|slips|falls|rises|strengthens|stable|eases|drops|per|against
  `,
  index: `
    + s&p 500|midcap|smallcap|mid|small
    - s&p 500 ucits|etf
    dow jones
    - dow jones news|newswires|reports|newswire
    =Dow ~1 falls|rises|ends|closes|drops|gains|jumps|slips|tumbles|hits|tops|sheds|adds|futures|down|up
    nasdaq 100|composite
    nasdaq|dow|s&p futures
    nasdaq ends|closes|falls|rises|hits|slips|gains|jumps|tumbles
    sensex|nifty|ftse|nikkei|dax|kospi|topix|ibovespa|bovespa|vix|stoxx|merval|taiex|psei|wig20|omx|omxs30|kosdaq|jkse|klci
    - dax ucits|etf
    - omx helsinki|stockholm|copenhagen|nordic ltd|ab|exchange
    cac 40
    ibex 35
    asx 200
    hang seng
    russell 1000|2000|3000
    csi 300
    shanghai composite
    msci world|emerging|index
    - msci world ~3 ucits|etf
    stock|equity|market|share|benchmark|volatility|sector index|indexes|indices
    index inclusion|rebalancing|rebalance|addition|reconstitution
    indices
    - kosdaq|nasdaq|topix ~1 debut|debuts|listing|listed|ipo|float|delisting|compliance|rules|notice|exchange|market|bell
    - nasdaq|kosdaq listed
    all share|ordinaries ~1 index|closes|ends|rises|falls
    straits times|index
    footsie
    =SMI|OMXS30|BEL|AEX|PSI|ATX|BIST|TASI|EGX30|TSX|MDAX|TecDAX|IPSA|Ipsa|KSE|DSEX|SET|JSE|NZX ~2 rises|falls|ends|closes|gains|drops|slips|jumps|index|up|down|higher|lower|hits|opens|climbs|slides|adds|loses
    euro|dow|ftse ~1 stoxx|jones|mib
    index ~1 closes|ends|rises|falls|slips|gains|drops|jumps|opens
    - price|prices|confidence|sentiment|happiness|uv|heat|body|mass|production|output|activity|pmi|pollution|quality|dollar|misery|cost|freight|dry|climate|manufacturing|services|business|consumer|freedom|corruption|card|power|glycemic|glycaemic|passport|perceptions ~1 index
    - dax|dow|ftse =Shepard|Chemical|Inc|Russell
    joins|join|added|promoted|enters|relegated|dropped|removed ~4 ftse|s&p|dax|nikkei|msci|russell|index|nasdaq
  `,
  futures: `
    futures
    crude oil|futures|price|prices|inventories|stocks|exports|imports|output|supply|benchmark|benchmarks|cargo|cargoes|barrels|production|runs|grades
    - crude joke|attempt|remark|remarks
    brent|wti|opec|opec+
    - brent council|cross|london
    oil price|prices|futures|supply|supplies|output|demand|market|exports|inventories|stocks
    - oil|gas exports ~1 resume|resumes
    oil ~1 rises|falls|slips|gains|jumps|drops|steady|climbs|edges|settles|slides|rallies|tumbles|surges|hits|steadies|extends
    - olive|palm|essential|cooking oil prices
    gold|silver|copper|platinum|palladium|aluminium|aluminum|nickel|zinc|wheat|corn|soybean|soybeans|coffee|cocoa|sugar|cotton|lumber|cattle|iron|palm|gasoline|diesel|uranium|lithium|natgas ~1 price|prices|futures|rise|rises|fall|falls|slip|slips|gain|gains|jump|jumps|drop|drops|steady|climb|climbs|edge|edges|slide|slides|rally|rallies|extends|tumbles|surges|hits|firm|firms|near|holds|retreats
    natural gas ~1 jumps|falls|rises|drops|slips|gains|slides|surges|price|prices|futures
    gas|power prices
    iron ore
    bullion
    commodity|commodities
    - gold medal|coast|card|award
    lme|comex|cbot
    oil|crude|brent|gold|silver|copper|platinum|palladium|aluminium|aluminum|nickel|zinc|tin|lead|wheat|corn|soybean|soybeans|soyoil|soymeal|coffee|arabica|robusta|cocoa|sugar|cotton|lumber|cattle|hogs|rubber|gasoline|diesel|uranium|lithium|cobalt|natgas|rice|canola|bullion|lng ~1 rise|rises|fall|falls|gain|gains|slip|slips|jump|jumps|drop|drops|steady|steadies|climb|climbs|edge|edges|settle|settles|slide|slides|rally|rallies|tumble|tumbles|surge|surges|hit|hits|slump|slumps|plunge|plunges|soar|soars|sink|sinks|rebound|rebounds|recover|recovers|ease|eases|dip|dips|retreat|retreats|advance|advances|spike|spikes|crash|crashes|top|tops|end|ends|close|closes|trade|trades|swing|swings|skid|skids|firm|firms|hold|holds|near|extend|extends|lower|higher|flat|futures|price|prices|weaken|weakens|strengthen|strengthens|pare|pares|ends|up|down
    - lead|tin|rice|rubber|cotton|silver|gold|copper|coffee|sugar|corn ~1 trade|trades|up|down|extend|extends|top|tops|close|closes|end|ends|futures ~1 academy|gallery|thieves|thief
    - lead|leads|tin|leading ~1 up|down|rise|rises|hit|hits|top|tops|end|ends|close|closes|near|firm|firms|hold|holds|gains|slips|falls|futures|prices|higher|lower|extend|extends
    lme|london|comex|shanghai ~1 lead|tin
    # ~2 of ~2 wheat|corn|rice|barley|sugar|soybeans|soymeal|crude|lng|coal|diesel
    tonnes|tons|bushels|barrels of ~2 wheat|corn|rice|barley|sugar|soybeans|crude|oil|coal|copper|lng
    buys|takes|tenders|seeks|purchases ~4 wheat|corn|rice|barley|sugar|soybeans
    palm|soybean oil ~1 rise|rises|fall|falls|gain|gains|slip|slips|jump|jumps|drop|drops|steady|steadies|climb|climbs|edge|edges|settle|settles|slide|slides|rally|rallies|tumble|tumbles|surge|surges|hit|hits|slump|slumps|plunge|plunges|soar|soars|sink|sinks|rebound|rebounds|recover|recovers|ease|eases|dip|dips|retreat|retreats|advance|advances|spike|spikes|crash|crashes|top|tops|end|ends|close|closes|trade|trades|swing|swings|skid|skids|firm|firms|hold|holds|near|extend|extends|lower|higher|flat|futures|price|prices|weaken|weakens|strengthen|strengthens|pare|pares|ends|up|down
    - silver spoon|screen|medal|medallist|lining|jubilee|anniversary|service
    - gold|silver|copper|oil|coffee|cotton|sugar ~1 medal|coast|award|painting|paintings|rush|mine|miner|corp|ltd|limited|inc|resources|wire|morning|bud|shop|chain|thieves
    - the future|futures of
    - futures league|academy|team|match|game|tournament|cup
    coal|lng|jet ~1 price|prices|futures
    crop|harvest ~2 estimate|forecast|record|wheat|corn|soybean
    wasde
    natgas
    oil|crude|gasoline|diesel|gas|lng|wheat|corn|soy|soybean|soybeans|rice|sugar|copper|nickel|cobalt|uranium|bauxite|gallium|germanium|antimony|coal|cocoa export|exports ban|bans|tax|taxes|duty|duties|curbs|quota|quotas
    export|exports ban|bans|tax|taxes|duty|duties|curbs|quota|quotas on ~2 oil|crude|gasoline|diesel|gas|lng|wheat|corn|soy|soybean|soybeans|rice|sugar|copper|nickel|cobalt|uranium|bauxite|gallium|germanium|antimony|coal|cocoa
    ban|bans|banned|suspends|lifts|resumes|restricts ~2 export|exports of ~2 oil|crude|gasoline|diesel|gas|lng|wheat|corn|soy|soybean|soybeans|rice|sugar|copper|nickel|cobalt|uranium|bauxite|gallium|germanium|antimony|coal|cocoa
    bans|suspends|restricts|resumes|halts ~1 oil|crude|gasoline|diesel|gas|lng|wheat|corn|soy|soybean|soybeans|rice|sugar|copper|nickel|cobalt|uranium|bauxite|gallium|germanium|antimony|coal|cocoa exports|export|shipments
    crude|gasoline|distillate draws|builds
    gas inventories|stocks|storage
    iron|copper|zinc|nickel|tin|cobalt|lithium|uranium|palladium|platinum ?ore|price|prices ~1 hits|tumbles|rallies|surges|jumps|climbs|slips|falls|rises|slides
    adds|buys|bought|sells|sold ~3 gold|bullion
    usda ~4 corn|wheat|soybean|soybeans|crop|stocks
    barrel|bushel
    - futures of
    - oil|gas|crude trade|sanctions
    gold|silver|copper|oil|platinum|commodity ~1 etf|etfs|etc
    gold|silver|copper|oil|crude|coal|lng|gas|wheat|corn|soybean|palm|sugar|coffee|cocoa|rice imports|exports|output|production|stockpiles|shipments|storage
    wheat|corn|soybean|soy|coffee|cocoa|sugar|cotton|rice|rapeseed crop|harvest|arrivals|exports|output|imports|planting|stocks
  `,
  bond: `
    + treasuries|treasurys
    treasury ~1 yield|yields|note|notes|bond|bonds|auction|auctions|bill|bills
    # year ~1 yield|note|notes|bond|bonds|treasury|gilt|bund|auction
    - # year ~3 senior|convertible|corporate
    gilt|gilts|bund|bunds|jgb|jgbs|btp|bonos
    - jgb|gilt edged
    government|sovereign|municipal|state|dollar bond|bonds|debt|spreads
    - state|government debt ceiling
    bond yield|yields|auction|auctions|market
    yield curve
    tbills|tbill
    t bill|bills
    sovereign ~1 rating|ratings|downgrade|upgrade
    - yield|yields sign|signs|to|per
    - yield ~1 signs|sign
    btps|oats|bonos|linkers|gilts|bunds|treasurys|bobl|schatz
    - oats|btp ~1 recipe|porridge|milk|breakfast|harvest|crop
    - oat milk|drink|cakes|futures
    treasury ~1 bill|bills|bond|bonds|note|notes|yield|yields|auction|auctions|curve|buyback|buybacks
    - treasury of|wine|shares|stock|secretary|department
    borrowing costs
    10|2|5|30 year ~3 yield|yields|bonds|bond|notes
    municipal|muni|council|city|county|state ~2 bonds|bond|notes
    sovereign|government|state ~2 eurobond|eurobonds|sukuk|default|debt|bond|bonds
    war|panda|samurai|dollar|euro|savings|retail|infrastructure bond|bonds
    - bail|james|mother|brooke|premium|chemical bond|bonds
    spread|spreads ~4 btp|bund|bunds|over
    debt auction|auctions|swap|restructuring
    domestic|external|sovereign|public debt exchange|restructuring|swap
    - gilt ~1 mirror|frame|frames|edged|bronze|clock|chair|dome|statue|altar|complex
    - oat|oats ~1 milk|drink|cookies|flour|bran|bar|bars|farmers|yield|yields|crop
    - bund shanghai|promenade|wharf|waterfront
  `,
  corp_bond: `
    senior|secured|unsecured|convertible|subordinated|exchangeable ~2 note|notes|debentures
    note|notes|bond|debt offering|offerings|sale|issue|placement|tranche
    - note|notes issue ~2 warning
    corporate bond|bonds|debt
    high yield bond|bonds|notes|debt|market
    junk bond|bonds|debt
    notes due
    debenture|debentures
    green|hybrid|covered|convertible|perpetual|sustainability|social|catastrophe|offshore|eurobond bond|bonds
    eurobond|eurobonds
    price|prices|priced ~6 notes|bond|bonds
    redeem*|redemption ~6 notes|bond|bonds|debentures
    default|defaults|defaulted on ~3 bond|bonds|debt|notes|payment
    credit spreads
    preliminary ratings ~6 notes
    publication of ~2 final terms|prospectus|supplement
    final terms
    pricing|base supplement|prospectus
    bondholder|bondholders|noteholder|noteholders
    - municipal|government|sovereign|treasury bond|bonds|notes
    sukuk
    note|notes|bond|bonds|debt ~1 tender
    tender|exchange|cash|consent offer|offers|solicitation ~8 notes|bonds|debentures|debt
    rating|ratings on|of|to ~6 notes|bonds|debentures|debt|facilities|facility
    unsecured|secured|debt|bond|notes|debenture ~1 rating|ratings
    non|nonconvertible|partly convertible ~1 debenture|debentures
    ncd|ncds
    commercial paper
    raises|sells|issues|issued|places|prices|taps|launches|completes|plans|mandates|repays|redeems ~8 bond|bonds|notes|debentures|eurobond|sukuk|tranche
    - raises|launches|plans|sells|issues ~5 note|notes ~1 warning|banknotes
    coupon|coupons ~3 misses|missed|skips|payment|bond
    leveraged loan|loans
    covenant waiver|breach|waivers
    - default settings|setting|password|browser|option|position
    - advances|wins|won|by default
    - james|double|mother|premium|brooke|strong|family|close bond|bonds
    term|syndicated loan
    corporate|credit|investment|junk ~2 spreads|issuance|grade ~1 bond|bonds|issuance|spreads|notes
    buy|buys|buying|bought|repurchase|repurchases ~1 back|of ~3 notes|bonds|debentures
    - social bond|bonds ~1 between|among|with|keep|of|help|study
  `,
};
