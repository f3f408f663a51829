export * from './access';
export * from './calibration';
export * from './deliveries';
export * from './queue';
export * from './rules';
export * from './traces';
export * from './verdicts';
