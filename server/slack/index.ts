export { readPayload } from './payload';
export { type ButtonAnswer, pressButton } from './press-button';
export { sendAnswer } from './send-answer';
