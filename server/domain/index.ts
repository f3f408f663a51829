export * from './figure';
export * from './json-text';
export * from './rate';
export * from './score';
export * from './text';
export * from './threshold';
export * from './turn';
export * from './verdict';
