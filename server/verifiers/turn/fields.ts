import type { ConfigField } from '../config-field';

export const turnFields: readonly ConfigField[] = [
  {
    key: 'max_history',
    name: 'Shown of the history',
    meaning:
      'Messages of the conversation that the verifier is shown, counted from its end; 0 shows all. It holds for calls of /v1/verify/turn. Each route of the gateway has its own.',
    type: 'number',
    min: 0,
    max: 100_000,
    whole: true,
  },
];
