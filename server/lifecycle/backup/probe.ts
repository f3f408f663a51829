import { openSecret, type SecretPlace } from '../../access';
import { type Ctx, refused } from '../../platform';

/** A text sealed in each backup, to test whether a key opens the other sealed data. */
export const probeText = 'assay backup';
export const probePlace: SecretPlace = {
  projectId: '',
  table: 'backup',
  column: 'probe',
  rowId: '',
  origin: '',
};

/** @throws AssayError refused, with the fix (S-106) */
export function checkKey(ctx: Pick<Ctx, 'env'>, probe: string | null): void {
  const without =
    'or restore with --without-secrets: keys of providers and of destinations must then be entered again';
  if (probe === null) return;
  if (ctx.env.secret === null) {
    throw refused(
      `the secrets in this backup cannot be read without the ASSAY_SECRET that encrypted them; set it, ${without}`,
    );
  }
  try {
    openSecret(ctx, probePlace, probe);
  } catch {
    throw refused(
      `the secrets in this backup were encrypted with another ASSAY_SECRET; set the earlier one (the file "secret" of its data folder), ${without}`,
    );
  }
}
