export * from './figure';
export * from './json-text';
export * from './score';
export * from './text';
export * from './turn';
export * from './verdict';
