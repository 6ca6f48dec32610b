import type { PhraseLists } from "./matcher.ts";

/** The market that a headline is about; see matcher.ts for the notation. */
export const marketPhrases: PhraseLists = {
  stock: `
    stocks|shares|equities
    stock market|markets|exchange|split|price|prices|index
    stock ~1 rises|falls|jumps|drops|surges|soars|slides|tumbles|plunges|climbs|gains|rallies|slips|sinks|dips|higher|lower|up|down|is|moves
    equity market|markets|futures
    wall street
    - oil|crude|grain|fuel|gold|wheat|corn|distillate|gasoline|business|housing stocks|stock
    - market|time shares
    - shares photo|photos|video|recipe|tips|her|his|story
  `,
  etf: `
    etf|etfs|etn|etns|etp|etps|ucits
    exchange traded fund|funds|note|notes|product|products
  `,
  crypto: `
    crypto*
    - cryptograph*
    bitcoin|bitcoins|btc|ethereum|ether|dogecoin|solana|xrp|litecoin|cardano|memecoin|memecoins|altcoin|altcoins
    stablecoin|stablecoins|blockchain|defi|web3|nft|nfts|tokenized|tokenised|tokenization|airdrop
    digital asset|assets|currency|token|tokens
    token|tokens sale|launch|burn|holders|unlock|price
    =Ripple
    binance|coinbase
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
    eurusd|gbpusd|usdjpy|audusd|usdcad|usdchf|nzdusd|eurgbp|eurjpy|gbpjpy|usdcnh|usdinr
    per dollar
  `,
  index: `
    s&p 500|midcap|smallcap|mid|small
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
  `,
  futures: `
    futures
    crude
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
  `,
  bond: `
    treasuries|treasurys
    treasury ~1 yield|yields|note|notes|bond|bonds|auction|auctions|bill|bills
    # year ~1 yield|note|notes|bond|bonds|treasury|gilt|bund|auction
    - # year ~3 senior|convertible|corporate
    gilt|gilts|bund|bunds|jgb|jgbs|oat|btp|bonos
    - jgb|gilt edged
    government|sovereign|municipal|state|dollar bond|bonds|debt|spreads
    - state|government debt ceiling
    bond yield|yields|auction|auctions|market
    yield curve
    tbills|tbill
    t bill|bills
    sovereign ~1 rating|ratings|downgrade|upgrade
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
  `,
};
