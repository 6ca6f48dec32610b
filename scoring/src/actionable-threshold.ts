/**
 * Score from which an item is called actionable. 45 is the score of the base rate: 18.7% of all headlines on a liquid stock
 * came with an abnormal move on the same or the next day, so an actionable item moves the price more often than average.
 */
export const actionableFrom = 45;
