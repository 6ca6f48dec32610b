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
  `,
  business: `
    + pmi
    purchasing managers
    =ISM
    factory|machine|machinery|industrial|manufacturing orders|activity|output|production|index|survey|data
    services activity|pmi|index|sector
    durable goods
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
  `,
};
