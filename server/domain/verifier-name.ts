/** The parts of the name under which a verifier's verdicts are counted and listed. */
export interface VerifierName {
  readonly slug: string;
  /** Null if the name has no version. */
  readonly version: number | null;
  /** Verdicts of models that judged their own work, which form a separate series. */
  readonly self: boolean;
}

const SELF = ':self';

/**
 * Parses `integrity`, `integrity@3`, `decomposition:self` or `decomposition:self@2`. Never throws:
 * any other text is a slug.
 */
export function readVerifierName(name: string): VerifierName {
  const found = /^(.*)@(\d{1,9})$/.exec(name);
  const [series, version] = found === null ? [name, null] : [found[1] ?? '', Number(found[2])];
  const self = series.endsWith(SELF);
  return { slug: self ? series.slice(0, -SELF.length) : series, version, self };
}

/** The name without its version. */
export const seriesOf = ({ slug, self }: Pick<VerifierName, 'slug' | 'self'>): string =>
  self ? `${slug}${SELF}` : slug;
