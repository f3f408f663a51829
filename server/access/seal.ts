import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { type Ctx, sha256, unavailable } from '../platform';

/**
 * Secrets at rest (reliability.md section 6, "stored credentials"). AES-256-GCM under a key of the project, which HKDF-SHA-256 derives
 * from ASSAY_SECRET. The text is `v1.<key id>.<nonce><ciphertext><tag>`, base64url: 12 bytes of nonce, 16 of tag. The key id is 8 hex
 * digits of the master key's hash: what was sealed under another master key is told apart from what was tampered with.
 *
 * The place goes in as associated data: a text that is moved to another project, table, column or row, or used for another origin than
 * it was entered for, does not open.
 */
export interface SecretPlace {
  readonly projectId: string;
  readonly table: string;
  readonly column: string;
  readonly rowId: string;
  /** Whom the secret is for: scheme, host and port. A changed address needs the secret again (S-45). */
  readonly origin: string;
}

type SealCtx = { readonly env: Pick<Ctx['env'], 'secret'> };

const version = 'v1';
const nonceBytes = 12;
const tagBytes = 16;

/** @throws AssayError unavailable where the process has no ASSAY_SECRET */
export function sealSecret(ctx: SealCtx, place: SecretPlace, plain: string): string {
  const { master, id } = masterKey(ctx);
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', projectKey(master, place.projectId), nonce);
  cipher.setAAD(placeBytes(place, id));
  const sealed = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${version}.${id}.${sealed.toString('base64url')}`;
}

/**
 * @throws AssayError unavailable where the process has no ASSAY_SECRET
 * @throws Error when it was sealed for another place or origin, under another master key, or was tampered with
 */
export function openSecret(ctx: SealCtx, place: SecretPlace, sealed: string): string {
  const { master, id } = masterKey(ctx);
  const [form, keyId, text, ...rest] = sealed.split('.');
  if (form !== version || keyId === undefined || text === undefined || rest.length > 0) throw new Error('no sealed secret');
  if (keyId !== id) throw new Error('the secret was sealed under another ASSAY_SECRET: enter it again');
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length < nonceBytes + tagBytes) throw new Error('no sealed secret');
  const decipher = createDecipheriv('aes-256-gcm', projectKey(master, place.projectId), bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(placeBytes(place, id));
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]).toString('utf8');
  } catch {
    throw new Error('the secret was sealed for another place');
  }
}

function masterKey(ctx: SealCtx): { readonly master: string; readonly id: string } {
  const { secret } = ctx.env;
  if (secret === null) throw unavailable('this process has no ASSAY_SECRET: secrets can be neither stored nor read');
  return { master: secret, id: sha256(`assay key id ${secret}`).slice(0, 8) };
}

function projectKey(master: string, projectId: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master, projectId, 'assay sealed secrets v1', 32));
}

/** Each part with its length: no two places have the same bytes. */
function placeBytes(place: SecretPlace, keyId: string): Buffer {
  const parts = [version, keyId, place.projectId, place.table, place.column, place.rowId, place.origin];
  return Buffer.from(parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join(''), 'utf8');
}
