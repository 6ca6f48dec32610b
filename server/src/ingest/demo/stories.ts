import { markets, opinions } from "./market-stories.ts";
import { broker, cents, deal, makers, news, newsOf, person, quarter, type Story, tenths } from "./scene.ts";

const results: readonly Story[] = [
  news((s) => {
    const expected = s.int(40, 180);
    const actual = expected + s.int(4, 30);
    const growth = s.int(8, 29);
    return {
      title: `${s.it.name} beats ${quarter(s)}-quarter estimates as revenue rises ${growth}%`,
      body: `${s.listed} reported adjusted earnings of $${cents(actual)} per share, above the $${cents(expected)} analysts had expected. Revenue rose ${growth}% from a year ago to $${s.int(300, 990)} million on strong demand for its ${s.it.goods}.`,
    };
  }),
  news((s) => {
    const expected = s.int(50, 180);
    const actual = expected - s.int(5, 35);
    return {
      title: `${s.it.name} misses profit estimates as costs climb`,
      body: `${s.listed} posted earnings of $${cents(actual)} per share for the ${quarter(s)} quarter, short of the consensus estimate of $${cents(expected)}. Revenue fell ${s.int(2, 12)}% to $${s.int(200, 900)} million, and the gross margin narrowed as wages and supplies became more expensive.`,
    };
  }),
  news((s) => ({
    title: `${s.it.name} reports ${quarter(s)}-quarter results in line with estimates`,
    body: `${s.listed} said revenue came to $${s.int(200, 900)} million and earnings to $${cents(s.int(30, 160))} per share, matching the average of analysts' estimates. The company left its forecast for the year unchanged.`,
  })),
  news((s) => {
    const low = s.int(400, 800);
    return {
      title: `${s.it.name} raises full-year revenue guidance to as much as $${low + 60} million`,
      body: `${s.listed} now expects revenue of $${low + 30} million to $${low + 60} million this year, up from an earlier range of $${low} million to $${low + 25} million. Orders from ${s.it.buyers} have been stronger than planned, the company said.`,
    };
  }),
  news((s) => {
    const high = s.int(450, 900);
    const cut = s.int(6, 18);
    return {
      title: `${s.it.name} cuts annual forecast by ${cut}% on weak orders`,
      body: `${s.listed} lowered its revenue outlook to about $${Math.round(high * (1 - cut / 100))} million from $${high} million. Management blamed slower orders from ${s.it.buyers} and warned that the weakness could last into next year.`,
    };
  }),
  news((s) => ({
    title: `${s.it.name} issues profit warning after losing a key customer`,
    body: `${s.listed} warned that operating profit this year will be ${s.int(20, 45)}% below its earlier target. A customer that stood for ${s.int(8, 19)}% of sales has ended its contract, and the company plans to reduce costs.`,
  })),
  news((s) => ({
    title: `${s.it.name} swings to a quarterly profit of $${s.int(8, 90)} million`,
    body: `${s.listed} returned to profit in the ${quarter(s)} quarter after a loss of $${s.int(5, 60)} million a year earlier. Lower costs and better prices for its ${s.it.goods} more than offset a weaker start to the period.`,
  })),
  news((s) => ({
    title: `${s.it.name} to hold ${quarter(s)}-quarter earnings call on the ${s.int(4, 20)}th`,
    body: `${s.listed} will publish its results before the market opens and will discuss them on a conference call at ${s.int(8, 11)} a.m. local time. A recording will be available on its website for ${s.int(14, 30)} days.`,
  })),
];

const capital: readonly Story[] = [
  news((s) => {
    const before = s.int(10, 60);
    const raise = s.int(2, 12);
    return {
      title: `${s.it.name} raises quarterly dividend to $${cents(before + raise)} per share`,
      body: `The board of ${s.listed} declared a quarterly dividend of $${cents(before + raise)} per share, up from $${cents(before)}. It is the ${s.pick("third", "fifth", "seventh")} increase in as many years.`,
    };
  }),
  news((s) => ({
    title: `${s.it.name} suspends dividend to save $${s.int(20, 140)} million a year`,
    body: `${s.listed} said it will pay no dividend until its debt has fallen. The company also put ${s.pick("a new plant", "a share buyback", "a planned acquisition")} on hold.`,
  })),
  news((s) => ({
    title: `${s.it.name} authorizes $${s.int(50, 600)} million share buyback`,
    body: `${s.listed} will repurchase shares in the open market over the next ${s.int(12, 24)} months. The programme replaces an earlier one that is now complete and amounts to about ${s.int(2, 9)}% of the shares outstanding.`,
  })),
  news((s) => ({
    title: `${s.it.name} prices public offering of ${s.int(4, 25)} million shares at a discount`,
    body: `${s.listed} priced an offering of new common stock at $${s.int(12, 70)} per share, ${s.int(5, 14)}% below the last close. The proceeds will repay debt and will dilute existing holders.`,
  })),
  news((s) => ({
    title: `${s.it.name} sells $${s.int(150, 800)} million of senior notes`,
    body: `${s.listed} placed notes with a coupon of ${tenths(s.int(42, 79))}% that fall due in ${s.int(5, 10)} years. It will use the proceeds to refinance bonds that mature next year.`,
  })),
  news((s) => ({
    title: `${s.it.name} says it will miss an interest payment and enters talks with lenders`,
    body: `${s.listed} will not make a payment of $${s.int(8, 40)} million due this week, which would be a default unless it is cured within ${s.int(10, 30)} days. The company has hired advisers to restructure $${s.int(400, 900)} million of debt.`,
  })),
  news((s) => ({
    title: `Credit rating of ${s.it.name} cut to junk by ${broker(s)}`,
    body: `The rating agency lowered its view of ${s.listed} by one notch and kept a negative outlook. It pointed to debt of ${tenths(s.int(41, 68))} times operating profit and weak cash flow.`,
  })),
  news((s) => ({
    title: `${s.it.name} announces ${s.int(2, 5)}-for-1 stock split`,
    body: `${s.listed} said shareholders of record at the end of the month will receive the additional shares. The split changes neither the company's value nor its dividend policy, and trading on the new basis starts in ${s.int(2, 5)} weeks.`,
  })),
  news((s) => ({
    title: `Director of ${s.it.name} buys ${s.int(11, 95)},000 shares`,
    body: `${person(s)}, a member of the board of ${s.listed}, bought the shares in the open market at an average price of $${s.int(9, 80)}. It is the largest insider purchase at the company in ${s.int(2, 6)} years.`,
  })),
  news((s) => ({
    title: `Activist fund discloses ${tenths(s.int(51, 97))}% stake in ${s.it.name}`,
    body: `The invented fund Harrowgate Point said it holds shares of ${s.listed} and will press for a seat on the board. It wants the company to sell its smallest division and return cash to shareholders.`,
  })),
];

const deals: readonly Story[] = [
  deal((s) => ({
    title: `${s.it.name} to acquire ${s.other.name} for $${tenths(s.int(12, 78))} billion in cash`,
    body: `${s.listed} agreed to buy ${s.other.name} (DEMO: ${s.other.ticker}) at a premium of ${s.int(22, 48)}% to the last closing price. Both boards have approved the merger, which is expected to close within ${s.int(6, 12)} months.`,
  })),
  deal((s) => ({
    title: `${s.it.name} and ${s.other.name} call off merger talks`,
    body: `${s.listed} said it could not agree on a price with ${s.other.name} (DEMO: ${s.other.ticker}). Neither side will pay a termination fee.`,
  })),
  deal((s) => ({
    title: `${s.it.name} and ${s.other.name} form joint venture`,
    body: `${s.listed} and ${s.other.name} (DEMO: ${s.other.ticker}) will each hold half of the new company and invest $${s.int(20, 150)} million over ${s.int(2, 4)} years. It is to start work early next year.`,
  })),
  news((s) => ({
    title: `${s.it.name} sells a division for $${s.int(40, 400)} million`,
    body: `${s.listed} agreed to sell a business with ${s.int(120, 900)} employees to a private buyer. The company will book a gain of $${s.int(5, 35)} million and concentrate on its ${s.it.goods}.`,
  })),
  news((s) => ({
    title: `Regulator blocks purchase of a smaller rival by ${s.it.name}`,
    body: `The competition authority of Velmark said the deal would leave ${s.it.buyers} with too little choice. ${s.listed} said it is disappointed and will consider an appeal.`,
  })),
  news((s) => ({
    title: `${s.it.name} rejects takeover bid of $${s.int(20, 95)} per share`,
    body: `The board of ${s.listed} said the unsolicited offer undervalues the company. The bid is ${s.int(15, 35)}% above the last closing price, and the bidder may still go to shareholders directly.`,
  })),
];

const business: readonly Story[] = [
  newsOf(makers, (s) => ({
    title: `${s.it.name} wins $${s.int(40, 480)} million contract`,
    body: `${s.listed} will supply ${s.it.goods} to a group of ${s.it.buyers} over ${s.int(3, 7)} years. It is the largest order in the company's history, and deliveries begin next quarter.`,
  })),
  newsOf(makers, (s) => ({
    title: `${s.it.name} loses $${s.int(30, 220)} million order to a rival`,
    body: `${s.listed} said a major customer has cancelled an order for ${s.it.goods}. The company expects the loss to lower revenue by about ${s.int(3, 11)}% next year.`,
  })),
  news((s) => ({
    title: `${s.it.name} launches new line of ${s.it.goods}`,
    body: `${s.listed} introduced its latest products to ${s.it.buyers} on the ${s.int(4, 20)}th and will start shipments this quarter. The company says ${s.int(5, 40)} customers have placed orders in advance.`,
  })),
  news((s) => ({
    title: `${s.it.name} to open site with ${s.int(150, 900)} jobs`,
    body: `${s.listed} will invest $${s.int(60, 420)} million to expand capacity for ${s.it.goods} by ${s.int(20, 60)}%. Construction starts in the spring and will take ${s.int(14, 30)} months.`,
  })),
  news((s) => ({
    title: `${s.it.name} to cut ${s.int(2, 9)}00 jobs in restructuring`,
    body: `${s.listed} plans to reduce its workforce by ${s.int(5, 16)}% and will take a charge of $${s.int(15, 90)} million. The measures are to save about $${s.int(30, 120)} million a year.`,
  })),
  news((s) => ({
    title: `${s.it.name} chief executive ${person(s)} steps down unexpectedly`,
    body: `${s.listed} said its chief executive has resigned with immediate effect for personal reasons. The chief financial officer will lead the company until a successor is found, a search that may take ${s.int(3, 8)} months.`,
  })),
  news((s) => ({
    title: `${s.it.name} names ${person(s)} as chief executive`,
    body: `${s.listed} appointed a new chief executive with ${s.int(15, 30)} years of experience in the industry. The appointment takes effect on the first of next month.`,
  })),
  news((s) => ({
    title: `Workers at ${s.it.name} begin strike at ${s.int(2, 7)} sites`,
    body: `A union that represents ${s.int(3, 9)}00 employees of ${s.listed} called the strike after talks about pay failed. The company said it can keep serving its customers for ${s.int(5, 20)} days.`,
  })),
  news((s) => ({
    title: `${s.it.name} discloses cyber incident that exposed ${s.int(20, 900)},000 records`,
    body: `${s.listed} said intruders reached one of its customer databases. Some systems remain offline after ${s.int(2, 6)} days, and the company cannot yet estimate the cost.`,
  })),
  news((s) => ({
    title: `${s.it.name} sued over claims it misled shareholders`,
    body: `Investors allege that ${s.listed} hid problems with its ${s.it.goods} for ${s.int(4, 18)} months. They seek damages of $${s.int(30, 300)} million; the company calls the lawsuit baseless.`,
  })),
  news((s) => ({
    title: `${s.it.name} settles patent dispute for $${s.int(12, 140)} million`,
    body: `${s.listed} agreed to pay the sum over ${s.int(2, 4)} years without admitting fault. The settlement ends a case that had run for ${s.int(3, 8)} years and removes the risk of a sales ban.`,
  })),
  news((s) => ({
    title: `${s.it.name} fined $${s.int(6, 80)} million by Velmark's market regulator`,
    body: `The regulator found that ${s.listed} published important information too late on ${s.int(2, 9)} occasions. The company accepted the penalty and said it has improved its controls.`,
  })),
  newsOf(makers, (s) => ({
    title: `Fire halts production at a plant of ${s.it.name}`,
    body: `${s.listed} said nobody was hurt, but the site, which stands for ${s.int(10, 35)}% of its output, will be closed for at least ${s.int(2, 8)} weeks. The company declared force majeure towards some ${s.it.buyers}.`,
  })),
  newsOf(["BRWK"], (s) => ({
    title: `${s.it.name} recalls ${s.int(40, 600)},000 packs over labelling error`,
    body: `${s.listed} asked shops to return meals whose labels leave out an allergen. No illness has been reported, and the recall will cost about $${s.int(3, 18)} million.`,
  })),
  newsOf(["DVPT", "OBTX"], (s) => ({
    title: `${s.it.name} recalls ${s.int(3, 60)},000 units over battery fault`,
    body: `${s.listed} will replace batteries that can overheat while charging, free of charge. It has paused sales of the model concerned and set aside $${s.int(15, 120)} million.`,
  })),
  newsOf(["HLVN"], (s) => ({
    title: `${s.it.name}'s late-stage trial meets main goal, with ${s.int(28, 61)}% fewer relapses`,
    body: `${s.listed} said its experimental therapy beat placebo in a study of ${s.int(3, 9)}00 patients. The result was statistically significant, and the company will seek approval by the end of the year.`,
  })),
  newsOf(["HLVN"], (s) => ({
    title: `${s.it.name} halts trial of ${s.pick("asthma", "migraine", "psoriasis", "gout", "lupus", "epilepsy")} therapy after it fails main goal`,
    body: `${s.listed} said the drug was no better than placebo in a study of ${s.int(200, 900)} patients. Development will stop, and the company will write off $${s.int(30, 160)} million.`,
  })),
  newsOf(["MRWD"], (s) => ({
    title: `${s.it.name} raises loan-loss provisions to $${s.int(60, 240)} million`,
    body: `${s.listed} set more money aside because ${s.int(3, 8)} large borrowers have fallen behind. Its net interest margin narrowed to ${tenths(s.int(19, 29))}%.`,
  })),
  newsOf(["GRDV", "FWYN", "TDWN"], (s) => ({
    title: `Higher prices lift ${s.it.name}'s monthly sales by ${s.int(7, 24)}%`,
    body: `${s.listed} published its sales for the past month, which reached $${s.int(60, 190)} million. Prices for its ${s.it.goods} rose for the ${s.pick("third", "fourth", "fifth")} month in a row.`,
  })),
];

/** Every story of the demo wire. All companies, people, firms and the country of Velmark are invented. */
export const stories: readonly Story[] = [
  ...results,
  ...capital,
  ...deals,
  ...business,
  ...opinions,
  ...markets,
];
