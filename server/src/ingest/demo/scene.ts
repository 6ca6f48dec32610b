import type { ArtifactType } from "@tapewire/contract/feeds.ts";

/** An invented company of the demo wire; scoring/data/demo-symbols.tsv lists the same ones. */
export interface Issuer {
  readonly ticker: string;
  readonly name: string;
  /** The name used after the first mention. */
  readonly short: string;
  /** What it sells, in the plural. */
  readonly goods: string;
  /** Who buys it, in the plural. */
  readonly buyers: string;
}

const issuer = (ticker: string, name: string, goods: string, buyers: string): Issuer => ({
  ticker,
  name,
  short: name.replace(/ \S+$/, ""),
  goods,
  buyers,
});

export const issuers: readonly [Issuer, ...Issuer[]] = [
  issuer("BRWK", "Brightwick Foods", "frozen meals", "supermarket chains"),
  issuer("DVPT", "Dravenport Motors", "electric vans", "delivery fleets"),
  issuer("FWYN", "Ferrowyn Steel", "plate steels", "shipyards"),
  issuer("GRDV", "Graydelve Energy", "natural gas supplies", "power utilities"),
  issuer("HLVN", "Halvorn Biotech", "therapies", "hospitals"),
  issuer("KSTL", "Kestrelle Aerospace", "satellite components", "launch operators"),
  issuer("MRWD", "Marrowdale Bancorp", "business loans", "mid-sized companies"),
  issuer("NVLR", "Novelara Media", "streaming series", "broadcasters"),
  issuer("OBTX", "Orbitex Robotics", "warehouse robots", "logistics groups"),
  issuer("QNTA", "Quantara Semiconductors", "power chips", "car makers"),
  issuer("TDWN", "Tidewyn Shipping", "container services", "exporters"),
  issuer("VRTN", "Veritarn Software", "payroll systems", "employers"),
];

/** The material of a story; every draw is a pure function of the item's number. */
export interface Scene {
  readonly it: Issuer;
  /** Another issuer than `it`. */
  readonly other: Issuer;
  /** `Name (DEMO: TICK)`, as press releases name a listing. */
  readonly listed: string;
  /** An integer, both bounds included. */
  readonly int: (min: number, max: number) => number;
  readonly pick: (...values: readonly [string, ...string[]]) => string;
}

interface StoryText {
  readonly title: string;
  readonly body: string;
}

export interface Story {
  readonly type: ArtifactType;
  /** "both": the other issuer is a subject too. "economy": no issuer is. */
  readonly about: "one" | "both" | "economy";
  /** Tickers it fits; any when absent. */
  readonly only?: readonly string[];
  readonly tell: (scene: Scene) => StoryText;
}

type Tell = Story["tell"];
export const news = (tell: Tell): Story => ({ type: "news", about: "one", tell });
/** Issuers that make goods which can be ordered and which need a plant. */
export const makers = ["BRWK", "DVPT", "FWYN", "KSTL", "OBTX", "QNTA"];
export const newsOf = (only: readonly string[], tell: Tell): Story => ({
  type: "news",
  about: "one",
  only,
  tell,
});
export const deal = (tell: Tell): Story => ({ type: "news", about: "both", tell });
export const research = (tell: Tell): Story => ({ type: "research", about: "one", tell });
export const post = (tell: Tell): Story => ({ type: "ugc", about: "one", tell });
export const macro = (tell: Tell): Story => ({ type: "news", about: "economy", tell });

export const quarter = ({ pick }: Scene) => pick("first", "second", "third", "fourth");
/** Hundredths as a decimal: 125 is 1.25. */
export const cents = (hundredths: number) => (hundredths / 100).toFixed(2);
export const tenths = (value: number) => (value / 10).toFixed(1);
export const broker = ({ pick }: Scene) =>
  pick("Pellworth Research", "Oskany Securities", "Lindmere Partners", "Trevassin Capital");
export const person = ({ pick, int }: Scene) => {
  const first = pick("Maren", "Tobias", "Ilse", "Ruben", "Anneke", "Corin", "Petra", "Silas");
  return `${first} ${["Valdane", "Ostrick", "Hemsworthy", "Brannoch", "Quillane", "Farrowby"][int(0, 5)]}`;
};
