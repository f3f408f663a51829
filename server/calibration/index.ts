export { type OutcomesTaken, takeOutcomes } from './take-outcomes';
