export * from './access';
export * from './queue';
export * from './traces';
export * from './verdicts';
