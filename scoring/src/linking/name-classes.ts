/** Names that need more care than the table's marks give them. */

const names = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(",")));

/** Venues, index makers and agencies that are listed companies too. */
export const roleNames = names(
  "nasdaq,cboe,cboe global markets,cme,cme group,euronext,london stock exchange group,lseg,tmx,tmx group",
  "london stock exchange,toronto stock exchange,tokyo stock exchange,hong kong stock exchange,new york stock exchange",
  "msci,s&p global,moody's,moodys,morningstar,factset,thomson reuters,icra,crisil,intercontinental exchange",
);

/** Publishers' brands, institutions and plain words, which in running text do not mean the company. */
export const neverAlone = names(
  "nyse,s&p,nse,bse,dow jones,ftse,otc markets",
  "crypto,reuters,bloomberg,business wire,globenewswire,pr newswire,newsfile,accesswire,cnbc",
  "nbc,abc,cbs,fox news,fitch,angi,capstone,news corp,wall street journal,new york times,cision,benzinga",
  "ecb,rbi,boe,boj,imf,who,eu,un,reserve bank of india,travel,treasury,fed,senate,congress,trust,bank,finance",
  "first,general,national,american,international,global,youtube,facebook live,linkedin,instagram stories,crsp",
  "zacks,seeking alpha,artificial intelligence,innovation,insight,vision,energy,water,solar,uranium,lithium,gaming",
  "health,fintech,sector,growth,value,income,momentum,quality,dividend,bull,bear,impact,pulse,focus,summit,advance",
  "premier",
  // Offices that publish data, regulators, groups of states; units of measure.
  "bls,bea,ism,ons,eia,iea,opec,opec+,eurostat,destatis,ifo,zew,insee,istat,statcan,nbs,indec,kof,gfk,nfib,nber,cbo,gao",
  "boc,bok,rba,rbnz,snb,pboc,fomc,ftc,doj,faa,nhtsa,sec,cftc,fdic,occ,fda,ema,cdc,cms,nrc,epa,ferc,irs,usda,noaa,nar,api",
  "wto,oecd,bis,nato,asean,brics,bafin,fca,pra,cma,sfc,sebi,cci,esma,eba,apra,asic,accc,samr,csrc,hkma,mas,boi,ine,abs",
  "btu,mmbtu,bbl,bpd,bps,pct,mwh,kwh,gwh,teu,mt,bcf,mcf,shenzhen,shanghai,markit,caixin,ap,afp,dpa,pti,ani,ians,efe",
);

/** Towns and states that companies are named after: a sentence must show that it means the company. */
export const placeNames = names(
  "latham,bridgewater,hayward,zurich,palo alto,albany,burlington,cincinnati,corning,hartford,hamilton,malvern,vienna,miami",
  "bogota,dakota,columbia,dover,jackson,aspen,phoenix,austin,lexington,houston,richmond,charlotte,princeton,cambridge",
  "fairfax,oakland,newport,franklin,lincoln,madison,fremont,santa clara,san jose,jersey,guernsey,halifax,windsor,bristol,marathon",
);

/** Initials with dots that mean something else than the company with the same letters. */
export const dottedWords: ReadonlySet<string> = new Set(
  "US UK EU UN AM PM AI DC NY NJ LA CA PA VA MA RI SC NC SD ND NH NM WV BC NS PR PC IT TV MD PHD ID OK ET AD BC".split(
    " ",
  ),
);

/** Names that contain a company's name: they take its words, so that no company is found inside them. */
export const otherNames = [
  "Dow Jones,Dow Jones Newswires,Business Wire,Fox News,Wall Street Journal,New York Times,Seeking Alpha",
  "Reserve Bank of India,People's Bank of China,Bank of England,Bank of Japan,Bank of Canada,Bank of Israel",
  "Reserve Bank of Australia,Bank of Korea,Bank of Mexico,Bank of Russia,Bank of Thailand,Bank of Italy",
  "Levi & Korsinsky,Block & Leviton,Berger Montague,Robbins Geller,Bernstein Litowitz,Johnson Fistel",
  "British Columbia,New Brunswick,South Dakota,North Dakota,South Carolina,North Carolina,Silver Spring,Abbott Park",
  "Columbia Heights,District of Columbia,Fort Jackson,Jackson Hole,Port Hamilton,Dover Air Force Base,Aspen Institute",
  "General Electric Building,Goldman Sachs Building,Apple Valley,Ford County,Dallas Fed,Philadelphia Fed,New York Fed",
  "Free Cash Flow,Cash Flow,Chevron Deference,Best Buy List,Snowflake Generation",
  "Ford Foundation,Duke University,Columbia University,Carnegie Mellon,University of Phoenix",
].flatMap((line) => line.split(","));
