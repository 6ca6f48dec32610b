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
    file|files|filed for ~4 listing
    plan|plans|weighs|considers|seeks|eyes ~4 listing
    price|sets ~1 range for ~4 listing|offering
    draft registration statement
    admission to trading
    proposed|planned|upcoming listing
  `,
  earnings: `
    earnings
    - earnings conference|call|calls
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
    raise|raises|raised|lift|lifts|lifted|cut|cuts|lower|lowers|lowered|trim|trims|slash|slashes|hike|hikes|reaffirm|reaffirms|reaffirmed|confirms|maintains|issues|boost|boosts|withdraw|withdraws|suspends|narrows|updates ~5 outlook|forecast|forecasts|guidance|target|targets
    - rating|ratings|credit outlook
    - price|prices target|targets
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
    - retail|home|homes|house|housing|vehicle|factory|existing sales
    - sales practices|force|team|tax
    - trial|study|phase|assay|drill|drilling|voting|election|tender|exploration ~1 results
    -- results of ~3 meeting|agm|egm|auction
    - interim results|analysis ~4 trial|study|phase
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
  `,
  dividends: `
    dividend|dividends
    - dividend stocks|aristocrats etf|fund
    cash|monthly|quarterly|special distribution|distributions
    declare|declares|declared|announces|increases|raises|cuts|suspends ~4 distribution|distributions
    distribution per unit|share
    interest on capital
    ex date
    - ex dividend adjusted
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
  `,
  management: `
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
  `,
  ownership_changes: `
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
    verdict|jury|lawsuit|appeals|injunction|indict*
    court
    - food|tennis|basketball court
    patent infringement|trial
    oil spill|pollution
    approval of application
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
    price target|targets
    target price|prices
    pt raised|cut|lowered|hiked|to
    target # euros|pounds|dollars
    target of rs|$|#
    initiat* ~5 buy|sell|hold|neutral|overweight|underweight|outperform|coverage
    start|starts|started|assumes|resumes|begins ~5 coverage|overweight|outperform|buy|neutral
    reiterat*|maintain*|keeps|kept|reaffirms ~6 buy|sell|hold|neutral|overweight|underweight|outperform|underperform
    on|after ~3 upgrade|downgrade
    - credit|software|system|rating upgrade|downgrade
    turns|turned bearish|bullish
    - sentiment|mood|market turns|turned bearish|bullish
    overweight|underweight|outperform|underperform
    cut|cuts|raised|lifted|lowered|moved to neutral|buy|sell|hold|reduce|equal
    analyst|analysts
    - analyst|analysts day|call|meeting
    buy|sell|hold|strong rating
    ^ buy|sell|accumulate|reduce|hold ~6 target
  `,
  credit_ratings: `
    credit rating|ratings
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
  `,
};
