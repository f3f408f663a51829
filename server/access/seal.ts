import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { currentMaster, findMaster, type MasterKey, type MasterKeyCtx } from './master-key';

/**
 * Secrets at rest (reliability.md section 6, "stored credentials"): envelope encryption. Each
 * secret is sealed with AES-256-GCM under its own random key; that key is wrapped, also with
 * AES-256-GCM, under a key of the project, which HKDF-SHA-256 derives from ASSAY_SECRET. The text
 * is `v2.<key id>.<wrapped key>.<sealed>`, the parts base64url: 12 bytes of nonce, the ciphertext,
 * 16 of tag. The key id is 8 hex digits of the master key's hash: it distinguishes text sealed
 * under another master key from tampered text. Changing ASSAY_SECRET requires wrapping the keys
 * again, but not sealing the secrets again.
 *
 * The place is the associated data of both encryptions: a text that is moved to another project,
 * table, column or row, or used for an origin other than the one it was entered for, cannot be
 * opened.
 *
 * `v1.<key id>.<sealed>` had no separate key; it can still be opened, and becomes v2 when it is
 * wrapped again.
 */
export interface SecretPlace {
  readonly projectId: string;
  readonly table: string;
  readonly column: string;
  readonly rowId: string;
  /**
   * The recipient of the secret: scheme, host and port. After a change of address the secret must
   * be entered again (S-45).
   */
  readonly origin: string;
}

const nonceBytes = 12;
const tagBytes = 16;
const keyBytes = 32;

/** @throws AssayError unavailable if the process has no ASSAY_SECRET */
export function sealSecret(ctx: MasterKeyCtx, place: SecretPlace, plain: string): string {
  const dataKey = randomBytes(keyBytes);
  const sealed = encrypt(dataKey, placeBytes('sealed', place), Buffer.from(plain, 'utf8'));
  return `${wrapKey(currentMaster(ctx), place, dataKey)}.${sealed}`;
}

/**
 * @throws AssayError unavailable if the process has no ASSAY_SECRET
 * @throws Error if it was sealed for another place or origin, under another master key, or was
 * tampered with
 */
export function openSecret(ctx: MasterKeyCtx, place: SecretPlace, text: string): string {
  const { dataKey, sealed, bound } = unwrapKey(ctx, place, text);
  return decrypt(dataKey, bound, sealed).toString('utf8');
}

/**
 * The same secret, its key wrapped under the current ASSAY_SECRET; null if it already is. The
 * sealed part is unchanged.
 * @throws as `openSecret`
 */
export function rewrapSecret(ctx: MasterKeyCtx, place: SecretPlace, text: string): string | null {
  const master = currentMaster(ctx);
  const { version, id, dataKey, sealed } = unwrapKey(ctx, place, text);
  if (version === 'v1') return sealSecret(ctx, place, openSecret(ctx, place, text));
  return id === master.id ? null : `${wrapKey(master, place, dataKey)}.${sealed}`;
}

interface Unwrapped {
  readonly version: 'v1' | 'v2';
  readonly id: string;
  readonly dataKey: Buffer;
  readonly sealed: string;
  /** The bytes that `sealed` is bound to. */
  readonly bound: Buffer;
}

function unwrapKey(ctx: MasterKeyCtx, place: SecretPlace, text: string): Unwrapped {
  currentMaster(ctx);
  const [version, id, ...parts] = text.split('.');
  const [first = '', second = ''] = parts;
  const whole =
    (version === 'v1' && parts.length === 1) || (version === 'v2' && parts.length === 2);
  if (!whole || id === undefined || parts.includes('')) throw new Error('no sealed secret');
  const master = findMaster(ctx, id);
  if (master === null) {
    throw new Error(
      'the secret was sealed under another ASSAY_SECRET: set that one as ASSAY_SECRET_PREVIOUS, or enter the secret again',
    );
  }
  if (version === 'v1') {
    const bound = placeBytes('v1', place, id);
    return {
      version,
      id,
      dataKey: projectKey(master, place.projectId, 'v1'),
      sealed: first,
      bound,
    };
  }
  const dataKey = decrypt(
    projectKey(master, place.projectId, 'v2'),
    placeBytes('wrapped', place),
    first,
  );
  return { version: 'v2', id, dataKey, sealed: second, bound: placeBytes('sealed', place) };
}

function wrapKey(master: MasterKey, place: SecretPlace, dataKey: Buffer): string {
  return `v2.${master.id}.${encrypt(projectKey(master, place.projectId, 'v2'), placeBytes('wrapped', place), dataKey)}`;
}

function encrypt(key: Buffer, bound: Buffer, plain: Buffer): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(bound);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString(
    'base64url',
  );
}

function decrypt(key: Buffer, bound: Buffer, text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length < nonceBytes + tagBytes) throw new Error('no sealed secret');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(bound);
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  try {
    return Buffer.concat([
      decipher.update(bytes.subarray(nonceBytes, -tagBytes)),
      decipher.final(),
    ]);
  } catch {
    throw new Error('the secret was sealed for another place');
  }
}

const projectKeys = new Map<string, Buffer>();
const projectKeysMax = 1_000;

/** Derived once for each project: a worker opens the key of a provider for every call. */
function projectKey(master: MasterKey, projectId: string, version: 'v1' | 'v2'): Buffer {
  const name = JSON.stringify([master.secret, projectId, version]);
  const known = projectKeys.get(name);
  if (known !== undefined) return known;
  const key = Buffer.from(
    hkdfSync('sha256', master.secret, projectId, `assay sealed secrets ${version}`, keyBytes),
  );
  if (projectKeys.size >= projectKeysMax) projectKeys.clear();
  projectKeys.set(name, key);
  return key;
}

/**
 * Each part with its length: no two places have the same bytes. v1 includes the key id, which v2
 * must be able to change.
 */
function placeBytes(
  section: 'v1' | 'wrapped' | 'sealed',
  place: SecretPlace,
  keyId?: string,
): Buffer {
  const head = keyId === undefined ? [section] : [section, keyId];
  const parts = [...head, place.projectId, place.table, place.column, place.rowId, place.origin];
  return Buffer.from(parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join(''), 'utf8');
}
