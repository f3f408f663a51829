/** One option of a field, and its effect. */
export interface ConfigOption {
  readonly value: string;
  readonly name: string;
  readonly meaning: string;
}

interface Named {
  /** The member of the config. */
  readonly key: string;
  /** Label. */
  readonly name: string;
  /** Help text: the effect, and the unit. */
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

/** From `least` to `most`, inclusive. */
export interface NumberField extends Named {
  readonly type: 'number';
  readonly min: number;
  readonly max: number;
  readonly whole: boolean;
}

export interface SwitchField extends Named {
  readonly type: 'switch';
}

/** Texts, one per line. */
export interface TextsField extends Named {
  readonly type: 'texts';
  readonly itemsMax: number;
  /** The maximum length of each text. */
  readonly charsMax: number;
}

/**
 * The form field of one member of a verifier's config. The schema of the config decides which
 * values are valid.
 */
export type ConfigField = ChoiceField | ChoicesField | NumberField | SwitchField | TextsField;
