export { extractContract } from './extract';
export { contractPatterns } from './passes';
export { promptBlock } from './prompt-block';
