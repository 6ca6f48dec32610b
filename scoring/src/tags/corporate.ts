import type { PhraseLists } from "./matcher.ts";

/** What headlines say when a company does this; see matcher.ts for the notation. */
export const corporatePhrases: PhraseLists = {
  ipo: `
    ipo|ipos
    initial public offering
    direct listing
    go|goes|going|went public
    -- take|takes|taking|took ~3 private
    market|trading|stock|nasdaq|nyse|exchange debut
    debut|debuts|debuted on|in ~3 trading|nasdaq|nyse|exchange|bourses
    debut|debuts|debuted at # ~3 premium|discount|share|issue
    debut|debuts|debuted at rs
    begin|begins|began|start|starts|started trading on|in|at
    first day of trading
    spac ~2 offering|ipo
    + file|files|filed for ~4 listing
    plan|plans|weighs|considers|seeks|eyes ~4 listing
    price|sets ~1 range for ~4 listing|offering
    draft registration statement
    admission to trading
    proposed|planned|upcoming listing
    kosdaq|jasdaq|growth|aim|bse|nse|lse|asx|tsx|euronext|bourse|first|exchange debut
    soars|soar|jumps|surges|rises|falls|slumps|pops|gains|slips|drops|tumbles|doubles|up|down|flat ~3 debut
    debut|debuts ~2 soars|jumps|falls|slumps|pops
    - debut album|novel|film|season|match|role|single
    - album|film|stage|screen|runway|league|season|international|test|tv|directorial debut
    price|indicative range ~4 ipo|listing|float|flotation|sale
    plans|planning|eyes|weighs|prepares|readies|seeks|considers|targets|delays|postpones|shelves|scraps|pulls ~5 listing|float|flotation
    flotation
    - goes|go|went|going public with|about|over
    first trading day
    shares ~2 begin|start trading
    intention to float
    dual|secondary|primary|hong|london|us|u.s ~1 listing
    - block|voluntary|additional listing
    - delist*
    listing of ~2 units|ordinary|shares
    -- etf|etfs|etn|etp|fund|token|coin
    -- not ~2 ipo
    - ban|halts ~2 trading
    shares|stock ~7 debut
  `,
  earnings: `
    earnings
    results for|of ~3 quarter|year|period|half
    quarter|quarterly|quarters|q1|q2|q3|q4|h1|h2|1q|2q|3q|4q|annual|half|interim|year|fiscal|preliminary|full|months|# ~4 results|profit|profits|loss|losses|net|revenue|revenues|sales|eps|ebitda|ebit|earnings|turnover
    - quarter|quarterly|annual|year ~2 dividend
    - annual sales event|conference
    financial|operating|trading results
    interim|half|quarterly|annual|year report|statement|update
    - annual report on|of ~2 sustainability|diversity
    trading|sales|revenue update|statement
    - trading update|statement ~2 halt
    guidance
    raise|raises|raised|lift|lifts|lifted|cut|cuts|lower|lowers|lowered|trim|trims|slash|slashes|hike|hikes|reaffirm|reaffirms|reaffirmed|confirms|maintains|issues|boost|boosts|withdraw|withdraws|suspends|narrows|updates ~5 outlook|forecast|forecasts|guidance
    - rating|ratings|credit outlook
    - outlook to|at|is|remains stable|negative|positive
    - outlook stable|negative|positive
    -- economic|growth|inflation|gdp outlook|forecast|forecasts
    eps|ebitda
    profit warning
    pat at|of|up|down|rises|falls|jumps
    net|q1|q2|q3|q4 ~1 jumps|zooms|surges|soars|plunges|tumbles|climbs|dips
    net profit|loss|income|sales
    swing|swings|swung to ~2 loss|profit
    beat|beats|miss|misses|missed|top|tops|topped ~4 estimates|estimate|expectations|consensus|forecasts|view
    profit|profits|revenue|revenues|sales|income|margins ~1 rise|rises|rose|fall|falls|fell|up|down|jump|jumps|jumped|drop|drops|dropped|beat|beats|miss|misses|surge|surges|surged|soar|soars|climb|climbs|climbed|slip|slips|slipped|decline|declines|declined|grow|grows|grew|double|doubles|increase|increases|increased|plunge|plunges|plunged|shrink|shrinks|slide|slides|widens|narrows
    posts|posted|reports|reported|logs|sees|records ~4 profit|loss|revenue|sales|turnover
    restate|restates|restated|restatement
    - retail|home|homes|house|housing|factory|existing sales
    - sales practices|force|team|tax
    - trial|study|phase|assay|drill|drilling|voting|election|tender|exploration ~1 results
    -- results of ~3 meeting|agm|egm|auction
    - interim results|analysis ~4 trial|study|phase
    quarter|quarterly|q1|q2|q3|q4|half|year|annual ~4 orders|bookings|deliveries|shipments|margin|margins|sales|passengers|production|volumes|premiums|claims|income|turnover|assets|guidance|performance
    net banking|interest|rental income
    operating|pretax|underlying|adjusted|core|headline|gross|net profit|profits|loss|losses|earnings|income|margin
    final|preliminary|annual|interim|full|year|half|yearly results
    results for the year|quarter|period|half|months
    notice of ~2 results
    first|second|third|fourth|full|half|three|six|nine|twelve ~1 quarter|year|half|month|months ~2 report|results|figures|accounts
    half yearly|year|yearly report
    appendix 4d|4e
    quarterly activities report
    interim|annual|yearly financial report|statements
    margin|margins|profit|sales|revenue ~1 outlook|forecast|guidance|warning|view|alert
    profit|profits|earnings ~2 warning|alert|downgrade|upgrade|slump|plunge|recovery
    sees|expects|forecasts|projects|guides ~6 profit|profits|revenue|sales|earnings|margin|eps|loss
    profit|profits|earnings|revenue|sales ~2 ahead|below|above|in ~2 of|expectations|forecasts|guidance|line|estimates
    like for like|likes
    comparable|same|organic|store sales|growth
    impairment|writedown|writedowns
    writes down|off
    pat|ebitda|pbt|ebit
    return|returns|back to profit|profitability
    loss|losses widen|widens|widened|narrow|narrows|narrowed|deepen|deepens|doubles|shrinks
    -- earnings call with|about
    -- exam|election|poll|test|blood|lottery|match results
    - parental|spiritual|career|health|travel guidance
    -- european|asian|global|world|us|u.s|london|tokyo|chinese|german|emerging|gulf|indian|australian|japanese|uk|hong|kong shares|stocks|equities|markets|bourses
    -- wall street
    -- earnings season
    -- sensex|nifty|nikkei|dax|ftse|kospi
    - fda|draft|regulatory|sec|forward|policy|safety|dietary|clinical guidance
    - guidance on|to
    - climate|emissions|emission|diversity|net|zero|sales force ~1 target|targets
    - average|weekly|hourly ~1 earnings
    - sales ~1 chief|director|head|manager|team|tax|force|event
    raise|raises|raised|lift|lifts|lifted|cut|cuts|lower|lowers|trims|slashes|hikes|confirms|withdraws|scraps|misses ~4 sales|profit|revenue|margin|earnings|growth|annual|year|ebitda|delivery ~1 target|targets
    start to ~2 year|quarter
    q1|q2|q3|q4|h1|h2 report
    - quarter|semi final|finals
    warn|warns|warned ~8 profit|profits|earnings|sales|revenue|margin|margins
    hit|hits|dent|dents|weigh|boost|boosts|squeeze|erode|erodes ~3 profit|profits|earnings|margins|results
    - buyback|repurchase ~1 interim|weekly report
  `,
  earnings_calls: `
    earnings|results ~2 call|calls|webcast|webinar
    results|earnings conference
    quarter|quarterly|q1|q2|q3|q4|half|year|interim|annual ~4 call|webcast
    conference call|webcast to|for ~6 results|earnings|quarter|quarterly
    call transcript|highlights|summary
    host|hosts|hold|holds|schedule|schedules|scheduled|webcast ~8 conference|earnings|investor call|webcast
    invite|invites|invitation to ~5 interim|results|quarterly|report|earnings
    conference call
    - vote|margin|put call
    call summary|highlights|recap|takeaways|notes|transcript
    earnings call
    conference|investor|analyst|results|earnings call|webcast|presentation ~6 results|earnings|quarter|half
    results|interim|half ~2 presentation|briefing
    audio webcast
    + earnings call
    + conference call to|for ~6 results|earnings
  `,
  dividends: `
    + interim|final|special|annual|quarterly|unchanged ~3 dividend|dividends
    + declares|proposes|recommends ~5 dividend
    dividend|dividends
    - dividend stocks|aristocrats etf|fund
    cash|monthly|quarterly|special distribution|distributions
    declare|declares|declared|announces|increases|raises|cuts|suspends ~4 distribution|distributions
    distribution per unit|share
    interest on capital
    ex date
    - ex dividend adjusted
    -- earnings call summary|transcript|highlights|recap|takeaways|notes
    -- peace|demographic|democracy|demographics|climate dividend
    - pay|pays|paid|paying dividends for|in|with|as|when
    ex|record date
    payout|payouts ~3 share|shareholders|unit|raises|cut|cuts|lifts
    raise|raises|raised|lift|lifts|cut|cuts|scraps|halves|doubles|resumes|maintains ~3 payout
    - dividend|high dividend|yield etf|etfs|fund|index
    - high dividend etf
    - dividend tax|taxes
    - dividend|dividends|income ~3 etf|etfs|fund|ucits|funds
  `,
  share_buybacks: `
    buyback|buybacks|buybacks
    buy|buys|buying back
    bought back
    share|shares|stock|unit|units repurchase|repurchases|repurchased
    repurchase|repurchases|repurchased ~6 shares|stock|program|programme|plan|authorization|authorisation|units|share
    - repurchase agreement|agreements
    transaction|transactions|dealing|dealings|dealings in|with own|treasury shares
    acquisition|purchase|purchases of own|treasury shares
    own|treasury shares ~2 purchase|acquisition|repurchase
    normal course issuer bid
    ncib
    dutch auction
    tender|self tender offer ~4 own|its ~2 shares|stock
    issuer tender offer
    - bond|bonds|note|notes|debt buyback|repurchase
    - buyback of ~2 bonds|notes|debt
    -- earnings call summary|transcript|highlights|recap|takeaways|notes
    -- token|tokens|protocol|coin|coins|crypto
    -- buyback|buys|buying|buy|bought|repurchase|repurchases|back ~7 bonds|bond|notes|debt|treasuries|treasury|gilts|gilt|btps|oats|bunds|jgbs|bills|eurobonds|eurobond|sukuk|debentures|linkers|securities|loans|mortgages
    -- debt|bond|gun|guns|firearm|firearms|weapon|weapons|car|battery|land|flood|home|loan buyback|buybacks
    - buys|bought|buying|buy back ~4 farm|pub|house|home|field|land|building|factory|brand|business|unit|rights|stadium|hotel|stake
    next day disclosure ~2 buyback
    share|shares|stock ~1 buy|buying back|backs
    off market|on market buy|buyback
    cancellation of ~3 shares
    purchase of ~2 own|ordinary shares
    daily share repurchase|buyback
    - buyback|buybacks tax
    tender offer for own
  `,
  strategy_business_products: `
    win|wins|won|award|awards|awarded|lands|secures|secured|bags ~6 contract|contracts|order|orders|tender|deal|project|mandate
    sign|signs|signed|inks|inked|enter|enters|entered ~5 contract|agreement|deal|mou|memorandum|pact
    - contract|contracts expire|expires
    - merger|credit|loan|settlement|plea|tax|voting|standstill|definitive|peace|trade|employment agreement|deal|pact|contract
    contract|order worth|valued|for|with|from
    partnership|partnerships
    partner|partners|partnering|partnered with
    team|teams|teamed|teaming up
    collaborat*
    strategic alliance|collaboration|review|plan
    - strategic alternatives
    launch|launches|launched|launching
    - launch|launches|launched ~4 offer|offering|bid|probe|investigation|buyback|repurchase|ipo|tender|notes|coverage|missile|strike|placement|lawsuit
    unveil|unveils|unveiled|introduc*
    debut|debuts ~1 new
    - unveil|unveils|unveiled ~4 budget|results|stimulus|bid
    roll|rolls|rolled out
    rollout
    new product|products|platform|model|chip|drug|factory|plant|store|service|services|collection
    clinical|pivotal trial|trials|study|hold|data
    phase 1|2|3|i|ii|iii|1b|2a|2b
    primary|secondary endpoint|endpoints
    topline|interim data|results ~4 trial|study
    fda|ema|nmpa|mhra approv*|clear*|grants|accepts|rejects|declines
    fda|ema|ce|regulatory|marketing|premarket approval|clearance|mark|designation
    fast|orphan|breakthrough track|drug|therapy designation
    new drug application
    feasibility|preliminary|prefeasibility study|economic
    drills|drilled|intersects|intercepts
    assay|drill|drilling|exploration results|program|programme
    mineral resource|reserve
    open|opens|opened|opening|build|builds|building|expand|expands|expanded|close|closes|closing|shut|shuts|idles|reopens|breaks|break|breaking ~4 plant|plants|factory|factories|store|stores|facility|facilities|mine|mines|office|hub|campus|warehouse|refinery|centre|center|line|ground
    expand|expands|expanded|expansion into|in
    expansion
    restructur*
    - debt restructur*
    layoff|layoffs
    cut|cuts|cutting|slash|slashes|axe|axes|shed|eliminate|eliminates|trim|trims ~4 jobs|workforce|staff|positions|roles
    job cuts
    patent|patents
    supply|license|licence|licensing|distribution|offtake|purchase|power|development deal|agreement|contract|pact
    enter|enters ~3 market
    present|presents|presenting|participate|showcase|exhibit|attend ~6 conference|forum|summit|congress|symposium|expo
    roadmap
    halts|resumes|suspends|restarts|boosts|ramps ~2 production|output|operations
    to build|invest|develop|supply|deliver
    rebrand*
    invests|invest|investing ~4 in|to
    - invests|invest ~4 stocks|shares|etf|gold|bitcoin
    selects|selected|chosen|chooses ~5 to|by|for|as
    deploy|deploys|deployed|integrates|integration
    -- earnings call summary|transcript|highlights|recap|takeaways|notes
    receive|receives|received|wins|won|win|gets|secures|secured|obtains|granted|gains|awarded ~5 permit|permits|licence|license|approval|clearance|nod|authorisation|authorization|certification
    meet|meets|met|miss|misses|missed|fails|failed|hits ~4 goal|goals|endpoint|endpoints
    late|mid|early|phase stage|i|ii|iii|1|2|3 ~2 trial|trials|study|studies|data
    trial|study ~4 meets|met|fails|failed|goal|succeeds|halted
    sign|signs|signed|inks|inked|agrees|strikes ~6 contract|agreement|pact|mou|accord|lease|alliance|order
    - peace|ceasefire|trade|climate|credit|merger|settlement pact|accord|agreement
    reseller|supply|distribution|marketing|franchise|charter|lease|hosting|service|framework|collaboration|technology pact|agreement|contract|deal
    order|orders for ~6 jets|planes|aircraft|ships|vessels|trains|buses|turbines|locomotives|engines|units
    orders ~4 jets|planes|aircraft|vessels|ships|trains|turbines|reactors
    price|fee|fare increase|increases|hike|hikes
    raise|raises|cuts|cut|hikes|lifts|lowers|trims|slashes ~4 prices|fees|fares|savings|mortgage
    new|first|large|major order|orders|contract|contracts
    opens|opened|opening|builds|reopens|shuts|closes ~6 plant|plants|factory|store|stores|mine|facility|hub|warehouse|refinery|branch|branches|showroom|hotel|terminal|laboratory|lab|headquarters|smelter|depot
    breaks ground
    ramp|ramps|starts|begins|halts|cuts|resumes|suspends|lifts|raises ~3 production|output|mining|drilling|construction|shipments|deliveries|flights|services|operations
    drill*
    - drill|drills|drilling school|fire|safety|sergeant|military
    discover|discovers|discovery|strikes|finds ~3 gold|copper|oil|gas|lithium
    gold|oil|gas discovery
    commission|commissions|commissioned|completes|completed ~5 plant|project|facility|line|mine|construction|unit|capacity
    capacity expansion
    cost cutting|savings|cuts
    turnaround|efficiency plan|programme|program
    strategic ~2 plan|update|partnership|investment|roadmap
    strategy update|day
    capital markets day
    to supply|build|construct|develop|operate|manufacture|distribute
    selects|selected|picked|picks|chosen|chooses ~5 to|by|for|as|supplier|partner
    relocat*
    outsourc*
    - sued|sues|sue|lawsuit ~5 patent|patents
    - patent|patents ~2 infringement|suit|lawsuit|claims|dispute|case|troll
    - production|output ~1 guidance|outlook|forecast|target|report|update|results
    - to build|raise|develop ~2 stake
    - sign|signs|signed ~6 merger|takeover|acquisition|purchase ~1 agreement|pact|deal|contract
    - target|targets price|prices
    - launches|launched ~8 offer|offering|tender|bid|buyback|ipo|notes|bond|bonds
    - license|licence ~1 to
    -- pmi|gdp
    fda|ema ~5 tag|designation|nod|status|review|green|go
    force majeure
    fast track
    halts|halt|pauses|suspends|stops|starts|begins|ends|discontinues ~3 trial|trials|study|programme
    shut|close|closes|open|opens|shuts ~4 branches|branch|outlets|restaurants|hotels|stores
  `,
  mergers_and_acquisitions: `
    acquire|acquires|acquired|acquiring
    - acquir* ~4 stake
    - acquired ~3 shares under|pursuant
    acquisition|acquisitions
    - acquisition|acquisitions corp|co|company|holdings|inc|limited|ltd
    - acquisition of own|treasury
    - customer|data|land|talent acquisition
    merger|mergers|merge|merges|merged|merging
    merger agreement
    to buy ~8 for #|million|billion
    to buy ~5 maker|firm|company|unit|rival|business|stake|majority|chain|brand|group|startup|operator|developer
    talks|deal|agrees|agreed|bid|offer|offers|plans to buy|purchase|sell|combine
    talks about|over|with ~4 combination|merger|sale
    - to buy now|today|back|this|in|on
    - stocks|shares|stock ~2 to buy
    - to buy ~6 jets|planes|aircraft|gas|oil|power|chips|bitcoin|shares|bonds|gold
    takeover|buyout|mbo
    - leveraged buyout loans
    bid for
    hostile|cash|tender|takeover|recommended|raised|sweetened bid|offer
    - tender offer ~6 notes|bonds|own|senior
    recommended ~2 offer
    new|raised|improved bid
    jv
    - cash offer ~3 notes
    form 8.3|8.5
    divest*
    spin|spins|spun|spinning off|out
    spinoff|spinoffs|demerger|carve
    joint venture
    sell|sells|sold|selling|offload|offloads ~5 unit|business|division|subsidiary|arm|stake|assets|brand|brands|operations
    - sold ~4 shares
    sale of ~5 unit|business|division|subsidiary|arm|assets|stake
    strategic alternatives
    business combination
    take|takes|taken|taking ~3 private
    tie up
    go private
    in ~3 talks ~2 to buy|sell|merge|acquire
    - talks to buy ~4 jets|gas|oil
    -- earnings call summary|transcript|highlights|recap|takeaways|notes
    - not|no ~1 merger|takeover|acquisition|merging|acquired
    - =Merger records|street|road|lane|group|holdings|plc|inc|ltd|capital|arbitrage
    - takeover panel|code
    - hostile ~1 environment|reception|witness|climate
    bid|offer|approach ~2 from|by ~4 rival|suitor|consortium|group|firm|fund|private
    rejects|rebuffs|rejected|snubs|accepts|receives|sweetens|withdraws|drops|raises|weighs|recommends|spurns ~4 bid|offer|approach|proposal
    - bid|offer|offers for ~3 striker|midfielder|defender|goalkeeper|winger|forward|games|olympics|cup|re|election|freedom|record|title
    to buy ~6 from
    - to buy back
    buys|bought|snaps ~6 for|from ~3 #|million|billion|cash
    buys ~3 maker|firm|company|unit|rival|business|majority|chain|brand|group|startup|operator|developer|distributor|assets|portfolio|mine|mines
    - buys|bought ~3 shares|stock|jets|planes|gas|oil|wheat|dollars|back
    firm|possible|formal offer
    rule 2.7|2.4|2.9
    scheme of arrangement
    dispos* of ~5 subsidiary|business|unit|stake|interest|equity|assets
    exit|exits ~2 joint|venture
    in|end|ends|ended|breaks|abandons ~2 merger|takeover|talks ~1 talks|with
    completes|completed|closes ~3 sale|purchase|disposal|takeover
    sale|disposal of ~5 unit|business|division|subsidiary|arm|assets|stake|operations
    - acquisition|takeover|merger|combine ~2 harvester|harvesters
    nears|near|close ~2 deal for
    - acquisition|acquisitions|takeover|merger ~1 =Corp|Inc|plc|Ltd|Group|Holdings|Limited
    - to|at buy|sell|hold from
    - pay|wage|job|plea|peace|settlement|contract|shareholder|refund ~1 offer|offers|proposal|proposals|deal|bid
    - bond|bonds|share|shares|note|notes|debt|stock|land|property|ticket|house|block ~1 sale|sell|sold
    - talks ~3 sell|buy ~4 gas|oil|jets|arms|weapons
    - cash|exchange|tender|special|public|share|rights|introductory offer ~4 notes|bonds|debentures
    - acquisition|acquisitions ~1 cost|costs|loan|criteria|strategy
    - trade|climate|peace|budget|nuclear|ceasefire talks
    + takeover bid|offer|approach|target|talks
    + merger agreement
    clear|clears|cleared|approve|approves|block|blocks|oppose|opposes ~5 purchase|takeover|merger|acquisition|buyout
    - block deal|deals|trade|trades
    block|blocks|blocked|halts|halted ~3 deal
    - takeover regulations|regulation|rules
    - promoter|promoters|activist|founder|holder|shareholder|investor|fund ~6 stake
    bought|acquired by
    to be bought|acquired|taken|sold
    set|sets up venture
    offer|bid update
    joint ~2 venture
  `,
  management: `
    + appoint|appoints|appointed|names|named|hires ~6 ceo|cfo|coo|cto|md
    + managing director
    ceo|cfo|coo|cto|cio|chair|chairman|chairwoman|chairperson|president|officer|executive|board|director|directors|boss|founder|head|chief|treasurer|secretary|co ~5 resign*|retire|retires|retired|retiring|retirement|step|steps|stepping|depart*|quit|quits|oust*|fired|appoint*|succeed|succeeds|succeeded|leave|leaves|leaving|exit|exits|dies|transition|succession|named
    appoint|appoints|appointed|appointing|appointment|appointments|name|names|named|hire|hires|hired|elect|elects|elected|promote|promotes|promoted|taps|tapped ~8 ceo|cfo|coo|cto|cio|chief|president|chair|chairman|chairwoman|director|directors|board|officer|executive|vp|head|manager|leader|partner
    appoint|appoints|appointed|appointment|appointments|hires ~3 to|as|of
    - appoint|appoints|appointed|appointment ~6 auditor|auditors|liquidator|receiver|bookrunner|market|counsel
    resign|resigns|resigned|resignation ~3 as|from|of
    leadership|management|executive|board|ceo|cfo transition|change|changes|shakeup|reshuffle|overhaul|succession|appointments|appointment
    change|changes in|to ~3 management|board|executive|leadership|directorate|team
    directorate change|changes
    management team
    ceo|chief|executive|executives ~3 pay|compensation|bonus|package|salary
    executive compensation|pay
    extend|extends|extended|renews ~2 contract ~2 ceo|cfo|chief|chairman|executive
    join|joins|joined ~4 board|as ~2 chief|cfo|ceo|president
    new ceo|cfo|coo|chairman|chief|president|director
    take|takes|taking|took over as
    appointed|new|named|is cmd|md
    succession plan|planning
    supervisory board ~2 election|elects|appoints
    - president|board trump|biden|elect
    - voting|election|elections ~6 president|presidential
    - film|movie|festival|museum|gallery|theatre|orchestra|choir|school|funeral director|directors|head|chief|president|chairman|board
    - school|scout|parish|student|class|prom ~1 head|president|leader|council|board
    ceo|cfo|coo|cto|chair|chairman|chairwoman|chairperson|president|chief|director|finance ~4 to retire|resign|leave|depart|exit|step|quit
    directorate change|changes
    initial|final director|directors interest
    appointment|resignation|cessation|retirement|changes ~3 director|directors|secretary|officer|auditor|cfo|ceo|non|chairman|chair|board|managing
    - =President|Prime|PM|Minister|Premier|King|Pope
    company secretary
    director departure|resignation|appointment|retirement
    names|appoints|taps|hires|picks|poaches ~8 as|to head|lead|run|ceo|cfo|chief|chair|finance
    boss|bosses|chief|ceo steps|quits|leaves|to|departs|ousted|retires
    poach|poaches|poached ~6 as|head|chief|boss
    change|changes of|in ~2 chairman|chair|ceo|cfo|director|directors|auditor|secretary
    - director|directors interest|shareholding|dealing|dealings
    - named|names|name|hired|hires ~4 supplier|official|exclusive|preferred|best|top|winner|finalist|bank|advisor|adviser|advisers|bookrunner|auditor|contractor|sponsor|brand|employer
    - named|recognized|recognised ~2 leader|partner|manager
    - leaves|leave|leaving ~2 door|dividend|rate|rates|guidance|outlook|forecast|unchanged
    - appointed|appoints|appoint ~2 distributor|administrator|administrators|agent|broker|nomad|advisers|advisor|adviser|partner|contractor|dealer
    - exit|exits|exiting ~3 market|business|venture|stake|china|russia
    - board|co|head ~3 office|quarters
    nominat* ~6 chair|chairman|chairwoman|director|directors|board
    - nominates ~4 directors|slate
    adds|add ~4 director|directors ~2 board|in|to
    proposes|proposed ~3 chair|chairman|chairwoman|director|directors
    reshuffle|reshuffles|shakes
  `,
  insider_trading: `
    insider|insiders buying|selling|trading|purchase|purchases|sale|sales|transactions|transaction|buys|sells|dealing|dealings|trades|bought|sold
    insider|insiders are|have|keep buying|selling|bought|sold
    director|directors|officer|ceo|cfo|coo|insider|chairman|president|executive|chief|founder|manager buys|sells|bought|sold|purchases|purchased|acquires|acquired|disposes|disposed|dumps|unloads ~6 shares|stock|options
    director|directors|manager|managers|management|officer|officers|executive|executives transaction|transactions|dealing|dealings|deals
    transaction|transactions|dealing|dealings|trades by ~3 persons|managers|management|directors|insiders|pdmr|executives
    persons discharging
    pdmr|pdmrs
    primary insider|insiders
    form 3|4|5|144
    eqs dd
    directors dealings
    mandatory notification of trade
    10b5 1
    change of director|directors interest|interests
    initial|final director|directors interest|interests
    appendix 3x|3y|3z
    director|directors|pdmr|managers|executive|executives|officer ~1 shareholding|shareholdings|dealing|dealings|deals|interest|purchase|share|sale
    - form 3|4|5 pupils|students|class|teacher|boys|girls|exam|exams|leavers|pupil|student
    -- charge*|plead*|convict*|accus*|jail*|sentenc*|indict*|guilty|fine|fined|fines|alleg*|prob*|investigat*|arrest*|sues|settles|acquit*|barred|bans|banned ~7 insider
    -- insider trading|dealing ~4 charges|charge|case|probe|trial|scandal|conviction|lawsuit|allegations|investigation|ring|rules|law|ban|bill|plea|suspicion
    - insider guide|tips|view|knowledge
    chief|ceo|cfo|chairman|chairwoman|director|founder|officer|president|insider ~3 buys|sells|bought|sold|purchases|offloads|acquires|unloads|dumps ~8 shares|stock|worth
    - buys|sells|acquires ~2 company|stake|rival|unit
    - treasurer|secretary ~2 sells|buys
    dgap dd
    chair|committee|insider|executive|director ~4 buys|sells|bought|sold ~3 shares
    # holder|owner sells|buys|sold|bought
  `,
  ownership_changes: `
    + # ~2 stake in
    13d|13g|13f
    tr 1
    take|takes|took|taken|raise|raises|raised|cut|cuts|trim|trims|trimmed|disclose|discloses|disclosed|reveal|reveals|revealed|build|builds|built|boost|boosts|boosted|hold|holds|increase|increases|increased|acquire|acquires|reduce|reduces|reduced|lift|lifts|amass|amasses|buys|bought|sells|sold|exits|exit|dumps|has|owns|unveils|nears|crosses|up|ups|slashes|adds|grows ~6 stake|holding|holdings|shareholding|position
    - take|takes|raise|raises|build|builds|cut|cuts|hold|holds|has ~3 position as|of|on
    - acquir*|buy|buys ~3 majority|controlling stake
    - long|short|net|cash|new|strong|dominant|leading|market position
    new|disclosed position ~2 in
    stake in
    - majority|controlling stake
    activist ~1 investor|investors|fund|funds|hedge|shareholder|shareholders|stake|campaign|elliott|starboard|icahn
    proxy fight|contest
    major shareholding|shareholdings|holdings
    holding|holdings ~1 in company
    - holding company
    change|changes in ~2 holding|holdings|shareholding|shareholdings|ownership
    beneficial ownership|owner
    eqs pvr
    form 8.3
    threshold crossing
    crossing ~2 threshold|thresholds
    notification of ~3 holding|holdings|shareholding
    - own|treasury shares ~2 holding
    - stake|stakes in ~1 heart|ground|race|game|country|future|outcome|society|peace
    - holding|holdings pattern
    becoming|ceasing|change|ceases|becomes ~3 substantial holder|holding|holders|shareholder|shareholding
    substantial|significant shareholder|shareholders|holder|holding|shareholding
    notifiable interest
    form 8.3|8.5
    tr1
    disclosure|notification of ~4 major|voting|shareholding|shareholdings|holdings|transparency
    total voting rights ~3 notification
    activist ~3 urges|seeks|pushes|calls|demands|presses|nominates|wins
    open|opening position disclosure
    - total voting rights
    regulation 29|7
    # stake
    - majority|controlling|remaining ~1 stake
    - acquires|acquire|buys|buy|sells|sell ~2 #|remaining stake in ~3 subsidiary|unit|jv|venture
    passive stake
    - sell|sells|sold|buy|buys|acquire|acquires|offload|offloads ~4 stake|stakes in ~5 unit|subsidiary|arm|venture|business|jv|division|project|mine|field
    - position in ~4 market|segment|sector|industry|space
    - position|stake ~1 statement|paper
    - stake ~1 sale ~2 unit|subsidiary
    nominates ~4 directors|slate
    takeover regulations|regulation
    promoter|promoters|founder ~4 stake|holding
    dgap pvr
    sheds|trims|dumps|offloads ~3 shares
    holding|stake|interest ~1 falls|rises|below|above|crosses|drops
    board ~1 fight|seats|battle|challenge
  `,
  esg: `
    lawsuit|lawsuits|sue|sues|sued|suing
    class action
    litigation|antitrust|subpoena|subpoenas|subpoenaed
    lead plaintiff
    investor|investors|shareholder|shareholders rights|alert|deadline
    law firm|offices
    probe|probes|probed|probing
    - space|lunar|mars|temperature probe
    investigat*
    fine|fined|fines ~3 over|for|by|from|of
    regulator|regulators|watchdog|sec|doj|ftc|cma|commission|court|judge fine|fines|fined|charges|charged|sues|blocks|approves|dismiss*|rules|bars|orders|halts|clears|warns
    charged with|over
    deferred prosecution
    fraud|bribery|whistleblower|misconduct
    penalty|penalties
    settle|settles|settled|settlement
    - settlement price|prices|date
    recall|recalls|recalled|recalling
    - recall|recalls that|how
    sustainab*
    - sustainable growth
    =ESG
    emission|emissions|carbon|decarbon*
    - carbon fiber|steel|capture
    climate
    - business|investment climate
    corporate governance
    regulator|regulators|regulatory
    - regulatory approval|clearance|news
    - subject to regulatory
    sanctioned
    data breach|privacy
    cyberattack|ransomware|hacked
    - exchange ~2 hacked
    diversity
    annual|extraordinary|special general|shareholder|stockholder|stockholders|shareholders|meeting meeting|of
    agm|egm
    proxy statement|vote|advisers
    non compliance|compliant
    minimum bid price
    delisting|delisted
    - voluntary delisting
    bankruptcy|insolvency|chapter
    - chapter 9
    approval of ~2 application|applications
    verdict|jury|lawsuit|injunction|indict*
    appeals|appeal court|ruling|verdict|decision|against
    court
    - food|tennis|basketball court
    patent infringement|trial
    oil spill|pollution
    approval of application
    - settle|settles|settled ~2 up|down|higher|lower|at|below|above|near|#|back|in|into|flat|mixed|for
    - blood|food|milk|sperm bank appeals
    - appeals|appeal for|to
    - selectors|coach|manager recall
    - recall|recalls ~3 bowler|striker|batsman|midfielder|goalkeeper|captain|memories|childhood|days
    - penalty|penalties ~2 shootout|kick|area|corner|spot
    - jury prize
    - fine|fines weather|art|arts|wine|dining|print
    - small|settlement claims town
    strike|strikes|walkout|walkouts|industrial|picket ~3 over|at|pay|ballot|vote|action|workers
    dockworkers|workers|pilots|drivers|staff|miners|nurses|union|unions|crew|employees ~6 strike|strikes|walkout|walk|ballot|protest
    - strike price|strikes deal|gold|oil|partnership|agreement
    result|results|poll|voting ~3 agm|egm|general|annual ~1 meeting
    results of|at ~1 agm|egm|annual|general
    annual report on ~3 sustainability
    net zero
    gender|human pay|rights
    esg
    safety|labour|labor violations|violation
    explosion|accident|spill|leak ~4 plant|mine|refinery|factory|site
    consent order|decree
    agrees|pays|pay|paying to|# ~4 settle|fine|penalty|resolve
    guilty plea|of
    show cause notice
    cyber attack|incident|breach
    greenwashing
    warning letter
    class action|lawsuit
    charge*|plead*|convict*|accus*|jail*|sentenc*|indict*|guilty|arrest*|acquit*|barred|bans|banned|bars ~7 insider trading|dealing
    insider trading|dealing ~4 charges|charge|case|probe|trial|scandal|conviction|lawsuit|allegations|investigation|ring|suspicion
    pollution|contamination
    notice ~5 over
    pleads|pleaded guilty
    - regulator|regulators|regulatory ~3 approval|approvals|approve|approves|approved|clears|clearance|nod|backing|license|permit|filing|filings|submission
    - climate|carbon|court ~1 ring|street|square|hotel|shoes
    - fine|fines weather|dining|art|jewelry|jewellery|wine|wines|gold|chemicals|fragrance|tune|tunes
    - recall|recalls|recalled|recalling ~1 product|election|vote|petition|notice|day
    recall|recalls|recalled|recalling ~6 product|vehicles|cars|trucks|heaters|units|over|due|risk|after
    - board meeting
    poison pill
    rights plan
    union|unions ~6 rejects|reject|ballot|vote|votes|pay
    conduct|accounting|regulatory|criminal|fraud|parliamentary|safety inquiry|review|failings
    inquiry|inquiries into
    eqs|dgap hv
    convening of ~3 meeting
    notice of ~2 agm|egm|meeting
    unionise|unionize|unionization|unionisation
    tax|demand demand|notice
    - tax notice ~2 dividend
  `,
  recommendation: `
    upgrade|upgrades|upgraded|downgrade|downgrades|downgraded ~6 buy|sell|hold|neutral|overweight|underweight|outperform|underperform|reduce|add|at|by|to|on|from|at
    - upgrade|upgrades|upgraded|downgrade|downgrades|downgraded ~6 plant|network|software|system|systems|infrastructure|facility|protocol|baa1|baa2|baa3|ba1|bbb|bb
    upgrades|downgrades|upgraded|downgraded
    -- moody|fitch|dbrs|kbra|crisil|icra
    -- s&p global|ratings|cuts|upgrades|downgrades|affirms|raises|lowers
    -- am best
    -- scope ratings
    -- credit|issuer rating|ratings
    + price target|targets
    + target price|prices
    pt raised|cut|lowered|hiked|to
    target # euros|pounds|dollars
    + target of rs|$|#
    + initiat* ~5 buy|sell|hold|neutral|overweight|underweight|outperform|coverage
    start|starts|started|assumes|resumes|begins ~5 coverage|overweight|outperform|buy|neutral
    + reiterat*|maintain*|keeps|kept|reaffirms ~6 buy|sell|hold|neutral|overweight|underweight|outperform|underperform
    on|after ~3 upgrade|downgrade
    - credit|software|system|rating upgrade|downgrade
    turns|turned bearish|bullish
    - sentiment|mood|market turns|turned bearish|bullish
    overweight|underweight|outperform|underperform
    cut|cuts|raised|lifted|lowered|moved to neutral|buy|sell|hold|reduce|equal
    analyst|analysts
    - analyst|analysts day|call|meeting
    buy|sell|hold|strong rating
    + ^ buy|sell|accumulate|reduce|hold ~6 target
    to|at buy|sell|hold|neutral|overweight|underweight|outperform|underperform|accumulate|add|reduce from
    broker|brokers|analyst|analysts note|notes|view|views|rating|ratings|call|calls|recommendation|recommendations
    buy|sell|hold rating|call|recommendation
    upgraded|downgraded|raised|cut by ~4 analyst|analysts|securities|research|broker
    tp raised|cut|lowered|lifted
    price objective
    - cuts|lowers|raises|lifts ~3 rate|rates|dividend|guidance
    - sports|data|weather|football|intelligence|security|defence|defense|policy|political|election|business|systems|industry|energy|oil|market analyst|analysts
    - upgrade|upgrades|upgraded ~3 to|for|at|on|by ~2 broadband|wifi|network|stadium|rail|seat|seats|kitchen|factory|hospital|road|line|plant|fleet
    -- film|album|restaurant|hotel|show rating
    - initiates ~3 talks|probe|production|trial|dosing|construction
    reiterat*|maintain*|keeps|reaffirms|retains ~6 accumulate|add|reduce
    + upgraded|downgraded to|by buy|sell|hold|neutral|overweight|underweight|outperform|underperform
    lifts|lift|raises|cuts|lowers|moves|moved|raised|lifted|upped|reduces|starts|resumes ~5 to|at|with neutral|overweight|underweight|outperform|underperform|accumulate
    moves|moved|lifts|cuts|raises|lowers|upgrades|downgrades ~5 to buy|sell|hold|reduce|add|equal|market from
    moves|moved|upgrades|downgrades ~5 to|at buy|sell|hold|reduce|add
    - analyst|analysts ~2 estimate|estimates|expectations|forecasts|forecast|consensus|expected|projections|poll
    - estimate|estimates|expectations|forecasts|consensus ~2 analyst|analysts
    - analyst|analysts|investor ~1 day|call|meeting|presentation|briefing|conference|event|webcast
    raises|raise|cuts|lifts|lowers|trims|hikes|ups|bumps ~3 target to|at|by|on
    - revenue|sales|profit|production|delivery|output|margin|ebitda|cost|savings|funding|dividend|emissions|climate|growth|inflation|capacity|earnings ~1 target|targets
    - upgrades|downgrades|upgraded|downgraded|upgrade ~4 guidance|outlook|forecast|forecasts|estimate|estimates
    brokerages|brokers|analysts cut|raise|lift|lower|trim|hike ~4 target|targets|rating|ratings
  `,
  credit_ratings: `
    + credit rating|ratings
    rating outlook|action|agency
    issuer ~2 rating|ratings
    moody|fitch|s&p|dbrs|kbra|crisil|icra|scope|morningstar|jcr|egan ~3 upgrad*|downgrad*|affirm*|cut|cuts|raise|raises|lifts|lowers|revis*|assign*|place|places|outlook|rating|ratings|rates|withdraws|changes|puts
    - s&p|s 500|futures|futures
    am best ~2 affirms|assigns|upgrades|downgrades|revises|places|removes|comments|credit
    upgraded|downgraded|cut by|at moody|fitch|s&p|dbrs
    junk status
    investment grade ~1 rating|status
    - investment grade notes|bonds
    sovereign|long ~2 rating|ratings
    assigns ~2 ratings
    outlook revised|changed|to stable|negative|positive
    -- esg rating|ratings|score
    -- s&p 500|futures|asx|tsx|midcap|smallcap
    -- viewer|film|tv|audience|approval|safety|hygiene|energy|star rating|ratings
    moody|fitch|s&p|dbrs|kbra|crisil|icra|scope|jcr|r&i|acuite|brickwork|infomerics ~2 reaffirm*|reaffirms|keeps|maintains|confirms|warns|strips|junks|grades|upgraded|downgraded|sees|says ~8 rating|ratings|outlook|grade|junk|aaa|aa|bbb|bb
    =S&P|Fitch|Moody|KBRA|DBRS|CRISIL|ICRA|CARE ~4 =A|AA|AAA|BBB|BB|B|CCC|Baa1|Baa2|Baa3|Ba1|Ba2|Ba3|B1|B2|B3|A1|A2|A3|Aa1|Aa2|Aa3|Caa1|D
    rating|ratings affirmed|reaffirmed|upgraded|downgraded|withdrawn|assigned|raised|lowered|cut by|to|at ~2 moody|fitch|s&p|dbrs|crisil|icra|kbra
    credit watch
    creditwatch
    - abercrombie fitch
    - scope for|of|to|creep|in
    - fitch solutions
    - s&p global ~3 pmi|mobility|commodity|survey|index
    upgraded|downgraded|cut|raised|lowered|affirmed|reaffirmed|rated ~6 by moody|fitch|s&p|dbrs|crisil|icra|kbra
    credit outlook
    - investment grade ~1 notes|bonds|bond|debt|corporate
  `,
};
