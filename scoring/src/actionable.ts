/**
 * Score from which an item is called actionable. 45 stands for the base rate: 18.7% of all headlines on a liquid stock came
 * with an abnormal move the same or the next day, so that an actionable item is one that moves the price oftener than any.
 */
export const actionableFrom = 45;
