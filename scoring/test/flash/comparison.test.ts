import assert from "node:assert/strict";
import test from "node:test";
import { readText } from "../../src/flash/cues/cues.ts";
import { weigh } from "../../src/flash/sentiment.ts";

const signOf = (text: string): number => Math.sign(weigh(readText(text, "").cues).shortDirection);

const cases: Readonly<Record<string, readonly (readonly [text: string, sign: number])[]>> = {
  "now against before, linked": [
    ["Norvik's profit was EUR 13.1 mn compared with EUR 8.7 mn.", 1],
    ["Norvik's EPS was EUR 0.60 per share, against EUR 0.45 per share a year earlier.", 1],
    ["Sales of EUR 61 mn as opposed to EUR 75 mn.", -1],
    ["The combined ratio went from 104 to 96 percent.", 1],
    ["Operating loss was EUR 3.0 mn versus EUR 1.1 mn.", -1],
  ],
  "words of time tell the earlier figure": [
    ["EPS: EUR 0.88; a year ago: EUR 0.61.", 1],
    ["Turnover came to SEK 410 mn; nine months earlier it had been SEK 520 mn.", -1],
    ["The occupancy of the ferries, 64% a year before, was 81%.", 1],
    ["From NOK 31 mn the year before, earnings went to NOK 19 mn.", -1],
    ["Compared with USD 2.10, earnings per share are USD 1.40.", -1],
    ["Net sales were EUR 12.4 mn, having been EUR 9.9 mn in the corresponding months.", 1],
    ["The margin, 9.1% in spring, was 12.4% a year later.", 1],
  ],
  "nothing is compared": [
    ["Sales were EUR 5 mn and profit EUR 2 mn in the corresponding period.", 0],
    ["The equity ratio was 41%; a year ago it was 40%.", 0],
    ["The plant has 120 workers; a year ago it had 90 machines.", 0],
    ["In 2025 the office moved from 12 Mill Road to 40 Quay Street.", 0],
  ],
  "a hair's breadth is no change": [
    ["Profit before taxes was EUR 20.1 mn, compared to EUR 20.0 mn.", 0],
    ["Net profit inched up to EUR 14.4 mn from EUR 14.3 mn.", 0],
  ],
  "words of motion that are none": [
    ["The books are kept by an outside firm.", 0],
    ["The hall seats up to 400 visitors.", 0],
    ["The line will be started up in May.", 0],
    ["The result varies with zinc, up or down.", 0],
    ["The depot serves 300 lifts.", 0],
  ],
  "bad by what moved": [
    ["Bad loans rose to 6% of the book.", -1],
    ["The airline carried fewer passengers.", -1],
    ["Fewer claims were filed with the insurer.", 1],
  ],
  "what is denied did not happen": [
    ["The maker sees no recovery this year.", -1],
    ["The transfer involves no redundancies.", 0],
    ["The accounts were approved by the board.", 0],
  ],
};

for (const [name, lines] of Object.entries(cases))
  test(name, () => {
    for (const [text, sign] of lines) assert.equal(signOf(text), sign, text);
  });
