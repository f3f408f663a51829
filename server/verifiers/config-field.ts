/** One of the answers that a field offers, and what it does. */
export interface ConfigOption {
  readonly value: string;
  readonly name: string;
  readonly meaning: string;
}

interface Named {
  /** The member of the config. */
  readonly key: string;
  /** For people. */
  readonly name: string;
  /** What changes with it, for people; says its unit. */
  readonly meaning: string;
}

/** One of the options. */
export interface ChoiceField extends Named {
  readonly type: 'choice';
  readonly options: readonly ConfigOption[];
}

/** Any of the options, or none. */
export interface ChoicesField extends Named {
  readonly type: 'choices';
  readonly options: readonly ConfigOption[];
}

/** From `least` to `most`, both included. */
export interface NumberField extends Named {
  readonly type: 'number';
  readonly least: number;
  readonly most: number;
  readonly whole: boolean;
}

export interface SwitchField extends Named {
  readonly type: 'switch';
}

/** Texts, one a line. */
export interface TextsField extends Named {
  readonly type: 'texts';
  readonly itemsMax: number;
  /** Of each text. */
  readonly charsMax: number;
}

/**
 * One member of a verifier's config, as people are asked for it. Whether a value is allowed is for
 * the config's schema to say.
 */
export type ConfigField = ChoiceField | ChoicesField | NumberField | SwitchField | TextsField;
