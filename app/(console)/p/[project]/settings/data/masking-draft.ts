import type { Masking } from '@/app/_trpc/outputs';

type Settings = NonNullable<Masking['settings']>;
export type MaskingType = Settings['types'][number];

/** The form's state; regions and paths as typed. */
export interface MaskingDraft {
  readonly types: readonly MaskingType[];
  readonly regions: string;
  /** One path per line. */
  readonly paths: string;
}

export const maskingDraftOf = (settings: Masking['settings']): MaskingDraft => ({
  types: settings?.types ?? [],
  regions: settings?.regions.join(', ') ?? '',
  paths: settings?.paths.join('\n') ?? '',
});

/** Null if masking is off. */
export function readMaskingDraft({ types, regions, paths }: MaskingDraft): Masking['settings'] {
  const settings = {
    types: [...types],
    regions: regions
      .split(/[\s,;]+/)
      .filter((region) => region !== '')
      .map((region) => region.toUpperCase()),
    paths: paths
      .split('\n')
      .map((path) => path.trim())
      .filter((path) => path !== ''),
  };
  return settings.types.length + settings.paths.length === 0 ? null : settings;
}

export function isSameMasking(one: Masking['settings'], other: Masking['settings']): boolean {
  const text = (settings: Masking['settings']): string =>
    JSON.stringify(
      settings && [settings.types.toSorted(), settings.regions.toSorted(), settings.paths],
    );
  return text(one) === text(other);
}

/** The errors of the form's fields, from those of the request: `masking.paths[1]` is of `paths`. */
export function maskingFaults(fields: Readonly<Record<string, string>>): {
  readonly regions: string | null;
  readonly paths: string | null;
} {
  const of = (name: string): string | null =>
    Object.entries(fields).find(([path]) =>
      new RegExp(`^masking\\.${name}(?:\\b|$)`).test(path),
    )?.[1] ?? null;
  return { regions: of('regions'), paths: of('paths') };
}
