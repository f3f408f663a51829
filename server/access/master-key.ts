import { type Ctx, sha256, unavailable } from '../platform';

/** ASSAY_SECRET, or the previous one while it is being changed. */
export interface MasterKey {
  readonly secret: string;
  /** 8 hex digits of its hash, stored with the data created with it. */
  readonly id: string;
}

export type MasterKeyCtx = {
  readonly env: Pick<Ctx['env'], 'secret'> & Partial<Pick<Ctx['env'], 'secretPrevious'>>;
};

const asMaster = (secret: string): MasterKey => ({
  secret,
  id: sha256(`assay key id ${secret}`).slice(0, 8),
});

/** @throws AssayError unavailable if the process has no ASSAY_SECRET */
export function currentMaster({ env: { secret } }: MasterKeyCtx): MasterKey {
  if (secret === null)
    throw unavailable(
      'ASSAY_SECRET is not set in this process, so it can neither store nor read secrets',
    );
  return asMaster(secret);
}

/** The current or the previous key with this id; null if it is neither. */
export function findMaster({ env }: MasterKeyCtx, id: string | undefined): MasterKey | null {
  const secrets = [env.secret, env.secretPrevious ?? null].filter((secret) => secret !== null);
  return secrets.map(asMaster).find((master) => master.id === id) ?? null;
}
