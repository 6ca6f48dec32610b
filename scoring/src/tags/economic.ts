import type { PhraseLists } from "./matcher.ts";

/**
 * The topic of a macro headline; see matcher.ts for the notation. Phrases marked `+` make an item macro although it names a
 * company: "Brightwick exports rise" is no trade figure, but "Brightwick falls as tariffs loom" is about trade as well.
 */
export const economicPhrases: PhraseLists = {
  gdp: `
    + gdp
    + gross domestic product
    economic growth|output|activity|contraction|expansion
    growth forecast|forecasts|estimate|estimates|outlook|rate|at
    - sales|revenue|earnings|profit|loan|money|credit|wage|job|jobs|population|user|supply|subscriber|rent growth
    economy ~2 grow|grows|grew|expand|expands|expanded|shrink|shrinks|shrank|contract|contracts|contracted|slow|slows|slowed|stagnate|stagnates|rebounds|cools|picks|lost|accelerates
    + recession
    industrial production|output
    =IMF|OECD ~3 growth
    economy in ~2 contraction|recession
    - factory|vehicle|car|steel|oil output
    - economy class|seats|fare|fares|hotel|car
    - hair|gum|glacier|hairline|gums recession
    - deficit|debt|surplus|spending|borrowing ~6 gdp
  `,
  labor: `
    + nonfarm payrolls
    payroll|payrolls
    + unemployment
    + jobless
    job openings|growth|market|gains|losses|vacancies|report|data
    - job growth ~3 career
    labor|labour|jobs market|force|costs|shortage|data|report
    + labor|labour market
    employment
    - employment agreement|contract|agency|law
    wage|wages growth|rise|rose|fall|fell|inflation|deal|index
    average ~1 earnings
    real|minimum|average wage|wages
    jolts
    participation rate
    adds|added|lost|shed|sheds|created|creates|cuts ~3 jobs
    strike|strikes ~3 port|ports|rail|railway|dockworkers|workers|transport|union|teachers|nationwide
    dockworkers|workers|union|unions|teachers|pilots|nationwide|general strike|strikes|walkout
    trade union|unions
    - labor|labour day|ward
    - labor|labour of love
    - lightning|air|missile|drone strike|strikes
    hiring|layoffs|vacancies ~3 slows|rise|rises|fall|falls|jump|economy|data|survey
    jobs|employment|unemployment report|data|figures
    employers ~3 add|added|cut|shed
    private payrolls
    claimant count
    pay growth|settlements
    strike|strikes ~5 rail|railway|port|ports|airport|airports|hospitals|transport|metro|schools|doctors|nurses
    nurses|doctors|railway|rail|train|bus|metro|airport ~3 strike|strikes|walkout
    dockworkers|workers|union|unions|teachers|pilots|staff|doctors|nurses ~4 strike|strikes|walkout
  `,
  prices: `
    + inflation
    + deflation
    + cpi
    + ppi
    + pce
    consumer|producer|wholesale|import|export|factory|retail|food price|prices
    + consumer|producer price|prices
    price index|pressures|growth
    - house|home|property|share|stock|housing ~1 price index|growth
    wpi|rpi|hicp
    cost of living
    - retail price ~2 target
    - price tag|war
    - grade|balloon|tyre|tire|lung|mattress inflation
    - vincent price
    rent|energy|electricity|petrol ~1 inflation|prices
    =CPI|PPI|PCE|HICP|WPI
    - castle|ball|dinghy|raft inflation
    - ppi ~1 claims|claim|compensation|scandal|mis
    - cpi ~1 aerostructures|card
  `,
  health: `
    epidemic|epidemics|pandemic|pandemics
    outbreak|outbreaks
    - outbreak|outbreaks of violence|war|fighting
    covid|coronavirus|sars|mpox|ebola|measles|cholera|influenza|polio|dengue|zika|malaria
    bird|avian|swine flu|influenza
    flu season|cases|deaths
    hospital capacity|beds|admissions
    hospitalization|hospitalizations|hospitalisations
    public health|health emergency
    health ministry|officials|authorities
    vaccination|vaccinations
    world health organization|organisation
    =WHO
    =CDC
    life expectancy
    - health insurance stocks
    - outbreak|epidemic of laughter|kindness|joy|wedding
    - outbreak film|movie
    - flu|covid|influenza ~2 vaccine|drug|shot|jab
    virus|disease outbreak|cases|spread|spreads
    infections|infection ~3 rise|rises|surge|jump|cases
    cases of ~3 cholera|measles|flu|dengue|polio|mpox
    hospital admissions|admissions|waiting
    waiting lists
    obesity|smoking|diabetes rate|rates
    + covid|flu hospitalization|hospitalizations|hospitalisations|admissions
  `,
  money: `
    + federal reserve
    =Fed
    - =Fed up
    + fomc
    + ecb
    european central bank
    bank of england|japan|canada|korea|israel|thailand|mexico|russia|ghana|uganda|spain|italy|france|indonesia|jamaica|zambia
    bank indonesia|negara
    - bank of america|montreal|ireland|baroda|china|india|queensland|hawaii
    =BOJ|BoJ|BOE|BoE|BoC|RBA|RBNZ|RBI|PBOC|PBoC|SNB|BSP|CBRT|SARB|NBP|BOK|MAS|BNM|BdF
    + central bank|banks|banker|bankers
    norges bank
    riksbank|bundesbank|banxico|selic
    swiss|danmarks|czech|national national|bank|nationalbank
    - national national
    policy|benchmark|key|repo|prime|cash|lending|base|selic|deposit rate|rates
    interest rate|rates
    - interest rate swap|swaps
    rate|rates hike|hikes|cut|cuts|decision|path|setting|setters|unchanged|rise|increase|outlook|bets|pause
    - tax|unemployment|mortgage|jobless|price|freight|subscription|charter|vat|gst|duty rate|rates
    - rate|rates cut|cuts ~3 tariff|tax
    hold|holds|held|keeps|kept|leaves|left|raises|raised|cuts|hikes|trims|lowers|lifts|slashes ~3 rate|rates
    - mortgage|tax|vat|gst|tariff|freight|duty|growth|import rate|rates
    money supply
    m2|m3 growth|money|supply
    foreign|fx|forex|exchange reserves
    foreign exchange reserves
    monetary policy|easing|tightening
    quantitative easing|tightening
    powell|lagarde|ueda
    liquidity ~2 injection|operation|operations
    inject|injects|injected ~3 liquidity
    bank|new|household|yuan|corporate lending|loans
    - central bank trust|holdings|bancorp|corp|financial|group|inc|plc|ltd
    - =Central =Bank =Trust|Holdings|Bancorp|Financial|Group
    - blood|food|river|south|west|left|data|piggy bank
    reserve bank of australia|india|zealand|fiji|malawi|zimbabwe
    bank of israel|ghana|uganda|botswana|zambia|namibia|tanzania|albania|estonia|latvia|finland|greece|portugal
    refinancing|overnight|discount|lending|deposit|bank rate|rates
    rate meeting|setters|setter|decision|path
    central banker
    minutes ~3 policymakers|rate|committee
    policymaker|policymakers
    ratesetter|ratesetters
    required reserve|reserves
    reserve requirement|requirements|ratio
    bank|household|private|business credit|lending|deposits ~2 rises|rise|grows|growth|falls|up|slows
    -- ecb ~8 squad|county|counties|cricket|bowler|bowlers|batter|batters|wicket|hundred|umpire|umpires|contracts|ashes|test|tests|innings|captain
    - before|after|ahead|awaits|await|eyes|into|of ~3 rate decision|decisions|meeting|meetings|call
    - heart|pulse|birth|success|crime|divorce|survival ~1 rate|rates
    - =Fed Cup|By|With|Ex|Up
    foreign|official ~2 reserves
    - bank of ~1 river|stream|canal
  `,
  trade: `
    + tariff|tariffs
    - tariff|tariffs ~1 electricity|telecom|power|mobile|feed
    - electricity|telecom|power|mobile|feed|data|gas ~1 tariff|tariffs
    + trade deficit|surplus|balance|war|deal|talks|gap|agreement|pact|truce|tensions|barriers|policy|minister|representative|data
    free trade
    - trade data on|app
    export|exports|exported
    import|imports
    - export|exports|import hopes|inspections|business|unit|licence|license
    - import|imports|export|exports|imported price|prices
    customs duty|duties
    antidumping|countervailing
    dumping duty|duties|probe|margin|margins
    anti dumping
    =WTO
    sanction|sanctions|sanctioned ~4 oil|on|against|tankers|exports|banks|entities|russian|iranian|chinese
    trade sanctions
    current account deficit|surplus|balance|gap
    - current account deficit ~3 share
    - trade off|winds|show|fair|union|unions|deadline|secret|secrets|mark|name|body|in|up
    - lions|player|quarterback|pitcher|striker ~3 trade
    state|government ~1 buyer|importer|agency ~3 buys|takes|tenders|purchases|seeks
    import|export ban|bans|curbs|quota|quotas|duty|duties|controls|licence|licences|permits|levy|restrictions
    # ~2 of ~1 wheat|corn|rice|barley|sugar|soybeans|soymeal ~3 tender
    flour|grain millers|importers|buyers|buyer ~3 tender|buys|tenders
    buys|takes|purchases|seeks ~5 wheat|corn|rice|barley|sugar ~3 tender
    tender|tenders for|to ~6 wheat|corn|rice|barley|sugar|soybeans
    buys|takes|purchases|seeks ~5 wheat|corn|rice|barley|sugar
  `,
  government: `
    budget
    - budget airline|carrier|hotel|phone|friendly|smartphone|laptop|travel
    budgets
    fiscal deficit|policy|stimulus|plan|rules|spending|package|gap|balance|support|council
    government|public|state|sovereign|national debt|spending|borrowing|finances|shutdown|spending|deficit
    public sector borrowing|net|debt
    debt ceiling|limit
    election|elections|runoff|referendum
    - election|elections ~3 board|directors|committee
    congress|senate|parliament|lawmakers|legislat*|cabinet|parliamentary
    - mobile|world|medical|annual|cancer|scientific|cardiology congress
    house ~2 passes|votes|vote|republicans|democrats|speaker|bill
    - file|storage|kitchen|file cabinet
    stimulus
    executive order
    treasury auction
    white house
    bailout
    - bank|airline bailout fund
    prime|finance minister
    president|premier signs|vetoes|unveils|orders|nominates
    no confidence
    coalition government|talks|partner
    infrastructure|defence|defense spending|fund|bill
    sovereign ~1 rating|ratings
    shutdown
    - plant|factory|refinery|pipeline|reactor|production|network shutdown
    austerity|privatization|privatisation
    labor|labour|conservative|democratic|socialist|ruling|opposition|liberal|green|republican|communist|party ~1 party|parties ~3 wins|win|won|loses|lost|pledges|vows|leads|backs|coalition|candidate|leader|secures
    landslide|snap victory|win|election|poll|vote|majority
    wins|win|secures|wins ~2 second|third|fourth|another|new|presidential|parliamentary term|vote|majority|election
    - school|student|class|club|papal election
    - student|pupil|class|school|club|board|union|papal|leadership election|elections|senate|parliament|congress|president
    - medical|world|annual|party|trade|dental|scientific congress
    - parliament of|square
    - parliament ~1 owls|rooks
    - cabinet maker|makers|curiosities|of
    - china|filing|medicine|drinks|display|antique|kitchen|trophy cabinet
    - budget recipe|recipes|holiday|holidays|wedding|trip|hotel|hotels|tips|makeover
    treasury ~1 bill|bills|bond|bonds|note|notes ~1 auction|auctions|tender|sale
    bond|bill|gilt|bund|jgb|btp|oat|tbill|debt auction|auctions|buyback|buybacks|swap
    prime minister|ministers
    governments
    surplus|record|interim dividend|transfer|payout to ~3 government|treasury|state|exchequer
    draft|supplementary|national|federal|state|annual budget
    sovereign|public debt|default|wealth
    state|national|local|federal|mayoral|general|presidential|parliamentary election|elections|polls
    public|civil sector|service|servants ~1 pay|spending|jobs|strike
    subsidy|subsidies
    president|premier|minister|chancellor|government|cabinet ~2 resigns|resign|quits|quit|ousted|steps|sworn|impeached|collapses|falls
    - stimulus ~1 hopes|hope|bets|expectations|talk|optimism
    treasury|gilt|bond|debt ~1 buyback|buybacks
    - white house garden|gardens|christmas|tour|tours|dinner|pet|dog|wedding|gala|ballroom|chef|egg
    surplus|profit|dividend|payout|profits to ~2 government|treasury|state|exchequer|ministry
    treasury|government ~1 to|sells|auctions|issues ~7 notes|bonds|bills|debt
    year|government|sovereign|green bond|note sale|issue|syndication
    sells|sell|issues|prices ~6 municipal bonds
    government|cabinet|parliament|lawmakers proposes|plans|approves|unveils|agrees|backs|passes|adopts|rejects
  `,
  business: `
    + pmi
    purchasing managers
    =ISM
    factory|machine|machinery|industrial|manufacturing orders|activity|output|production|index|survey|data
    services activity|pmi|index|sector
    durable goods ~1 orders|order|shipments
    business confidence|climate|activity|inventories|sentiment|conditions|investment|morale|optimism
    =Ifo|IFO|ZEW
    tankan
    wholesale|retail|business|factory inventories
    inventories
    - home|crude|oil|gasoline|fuel|distillate|gas|housing|copper inventories
    corporate|business|company bankruptcies|insolvencies|failures
    bankruptcies|insolvencies
    empire state
    philly fed
    capacity utilization
    beige book
    core machinery
    leading indicators|index
    small business optimism
    - industrial production|output
    car|cars|auto|vehicle|steel|cement|truck|machinery|oil|electricity|chip production|output|registrations
    manufacturing|factory|industrial sector|confidence|sentiment|turnover|sales|growth|gauge
    company|corporate profits|investment|defaults|failures
    business ~1 survey|index|lending|failures
    economic sentiment
    - =OPEC|Opec ~3 output|production
    - crude|opec output|production
    industrial|factory|manufacturing|construction orders|pmi
    machine|machinery tool|orders
    export|industry|mining orders|output|production
    industry turnover
  `,
  consumer: `
    + retail sales
    consumer confidence|sentiment|spending|credit|borrowing|morale|mood
    household spending|debt|consumption|confidence
    personal spending|income|consumption
    private consumption
    michigan ~2 sentiment
    credit card debt|spending|balances
    shoppers|holiday spending|sales
    - holiday sales ~3 record iphone
    retail|retailer spending|trade|footfall
    consumer price expectations
    - consumer goods|group|price|prices|electronics
    car|vehicle sales
    household|consumer|personal debt|lending|loans|savings|income|incomes|credit
    shop|store sales|footfall
  `,
  housing: `
    + housing starts
    housing market|permits|shortage|prices|bubble|crisis|data|affordability
    building|construction permits|approvals
    new|existing|pending home|homes|house sales
    home|house|property|housing price|prices|sales
    - home|house price|prices ~2 target
    - home sales ~1 team
    mortgage rate|rates|application|applications|approvals|lending|demand
    construction spending|output|starts
    case shiller
    homebuilder|builder|builders sentiment|confidence
    nahb
    rents rise|fall|rose|fell
    - car|tool house|home
    housebuilding
    apartment|apartments|flat|condo|dwelling ~1 prices|sales|approvals|rents|starts
    - house prices|music|party|plant|plants|rules|committee|republicans|democrats ~1 club
    land prices
    rents ~2 rise|fall|jump|climb|up
    dwelling|home|homes approvals|starts|building|completions|construction
    home|house|housing|property ~1 market|affordability|registrations|transactions|values
    building|dwelling|housing consents|completions
  `,
  taxes: `
    tax cut|cuts|hike|hikes|rate|rates|reform|bill|policy|increase|increases|break|breaks|credit|credits|plan|plans|overhaul|package|relief|rise|rises|raid|holiday|code|proposal|rules|on|revenue|revenues|receipts
    - pre|after tax
    income|corporate|corporation|sales|wealth|windfall|inheritance|property|consumption|carbon|excise|payroll|dividend|gains|digital|rent|fuel|stamp|capital|services|turnover|minimum|land tax|taxes|duty|levy
    tax|taxes
    - tax season|day|free|court|software|preparer|return|returns|tips
    - tax loss|deferred|deduct*
    taxation
    =VAT|GST
    levy|levies|levied
    stamp|excise|fuel duty
    raise|raises|raising|cut|cuts|lower|lowers|slash|slashes|hike ~3 tax|taxes
    - duty free|calls|roster|officer|nurse
    - heavy|off|on|double|jury duty
    - levy =Strauss|Restaurants
    - taxi|taxing
    tax|taxes ~4 raise|cut|lower|banks|rich|firms|companies
  `,
};
