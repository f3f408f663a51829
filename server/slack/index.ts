export { readPayload } from './payload';
export { pressButton } from './press-button';
export { sendAnswer } from './send-answer';
