import { broker, cents, deal, macro, post, quarter, research, type Story, tenths } from "./scene.ts";

export const opinions: readonly Story[] = [
  research((s) => ({
    title: `${broker(s)} upgrades ${s.it.name} to buy, target $${s.int(40, 120)}`,
    body: `Analysts raised ${s.listed} from hold and see ${s.int(18, 40)}% upside. They expect demand for ${s.it.goods} to grow faster than the market believes.`,
  })),
  research((s) => ({
    title: `${broker(s)} downgrades ${s.it.name} to sell on valuation`,
    body: `Analysts cut their rating on ${s.listed} from hold and lowered the price target by ${s.int(10, 30)}% to $${s.int(15, 60)}. They see more competition and shrinking margins.`,
  })),
  research((s) => ({
    title: `${broker(s)} starts coverage of ${s.it.name} at neutral`,
    body: `The first report on ${s.listed} sets a price target of $${s.int(20, 90)}. The shares reflect both the strong position in ${s.it.goods} and the risks, the analysts wrote.`,
  })),
  post((s) => ({
    title: `Why I keep holding ${s.it.name} after ${s.int(3, 9)} years`,
    body: `My notes on $${s.it.ticker}, which still make up ${s.int(4, 15)}% of my savings. ${s.it.short} has never lost money in that time, and I think ${s.it.buyers} will stay loyal. This is an opinion, not advice.`,
  })),
  post((s) => ({
    title: `Is ${s.it.name} in trouble? ${s.int(3, 7)} warning signs`,
    body: `Unpaid bills at ${s.it.short} grow faster than sales, and $${s.it.ticker} has fallen on ${s.int(6, 9)} of the last ten days. I sold my shares this week.`,
  })),
];

export const markets: readonly Story[] = [
  deal((s) => ({
    title: `Demo exchange closes ${tenths(s.int(3, 19))}% higher, led by ${s.it.name}`,
    body: `Stocks on the invented DEMO exchange rose in active trading. ${s.listed} gained ${tenths(s.int(25, 78))}%, while ${s.other.name} (DEMO: ${s.other.ticker}) fell ${tenths(s.int(5, 24))}%.`,
  })),
  deal((s) => ({
    title: `Demo exchange slides ${tenths(s.int(8, 27))}% as ${s.it.name} tumbles`,
    body: `Shares on the invented DEMO exchange fell for the ${s.pick("second", "third", "fourth")} day. ${s.listed} lost ${tenths(s.int(41, 96))}%, and ${s.other.name} (DEMO: ${s.other.ticker}) gave up ${tenths(s.int(11, 38))}%.`,
  })),
  macro((s) => {
    const growth = s.int(5, 29);
    return {
      title: `Velmark's GDP grows ${tenths(growth)}% in ${quarter(s)} quarter, above forecasts`,
      body: `Gross domestic product of the invented country rose ${tenths(growth)}% from a year ago, economists having expected ${tenths(growth - s.int(1, 4))}%. Consumer spending and exports were the main drivers.`,
    };
  }),
  macro((s) => {
    const rate = s.int(15, 49);
    return {
      title: `Velmark's inflation slows to ${tenths(rate)}%`,
      body: `Consumer prices in the invented country rose ${tenths(rate)}% in the year to last month, after ${tenths(rate + s.int(1, 6))}% in the month before. Energy became cheaper, while rents went on rising.`,
    };
  }),
  macro((s) => {
    const rate = s.int(6, 22) * 25;
    return {
      title: `Bank of Velmark raises interest rate to ${cents(rate)}% to curb inflation`,
      body: `The invented country's central bank raised its policy rate by a quarter of a percentage point, as most economists had expected. The decision was taken by ${s.int(5, 8)} votes to ${s.int(1, 3)}.`,
    };
  }),
  macro((s) => {
    const rate = s.int(31, 78);
    return {
      title: `Velmark's unemployment rate rises to ${tenths(rate)}% as employers shed ${s.int(5, 48)},000 jobs`,
      body: `The labor market of the invented country weakened last month; the jobless rate had been ${tenths(rate - s.int(1, 4))}%. Wages rose ${tenths(s.int(18, 44))}% from a year ago.`,
    };
  }),
  macro((s) => ({
    title: `Velmark's retail sales fall ${tenths(s.int(2, 14))}% in a month`,
    body: `Consumers in the invented country spent less on cars and furniture. Online sales grew ${tenths(s.int(10, 60))}%, but they could not make up for weak trade in the shops.`,
  })),
  macro((s) => ({
    title: `Housing starts in Velmark climb ${s.int(3, 15)}%`,
    body: `Builders in the invented country began work on ${s.int(12, 48)},000 homes last month. Building permits, a sign of work to come, rose ${s.int(1, 9)}%.`,
  })),
];
