import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { sha256 } from '../platform';

/**
 * A device from which an account has signed in before (S-121). Its cookie proves only that: it has
 * a separate limit of attempts, and signs no one in. The value is `v1.<device id>.<issued, Unix
 * seconds>.<HMAC-SHA-256>`, bound to the account by its e-mail address; each account's cookie has a
 * different name.
 */
export interface KnownDevices {
  /** The device id that the request's cookie proves for this account, or null. */
  find(cookie: string | null, email: string): string | null;
  /** A `Set-Cookie` that makes the device known; a known one keeps its id. */
  issue(email: string, deviceId: string | null): string;
}

const lifetimeS = 180 * 86_400;
const shape = /^v1\.([A-Za-z0-9_-]{22})\.(\d{1,12})\.([A-Za-z0-9_-]{43})$/;

export function createKnownDevices(
  secret: string,
  { secure, now }: { readonly secure: boolean; readonly now: () => Date },
): KnownDevices {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'assay known devices', 32));
  const hashOf = (email: string): string => sha256(`device ${email.toLowerCase()}`);
  const nameOf = (email: string): string =>
    `${secure ? '__Secure-' : ''}assay.device-${hashOf(email).slice(0, 16)}`;
  const macOf = (email: string, id: string, issued: string): Buffer =>
    createHmac('sha256', key)
      .update([hashOf(email), id, issued].join('.'))
      .digest();
  const nowS = (): number => Math.floor(now().getTime() / 1000);

  return {
    find(cookie, email) {
      const start = `${nameOf(email)}=`;
      const value = (cookie ?? '')
        .split(';')
        .map((part) => part.trim())
        .find((part) => part.startsWith(start))
        ?.slice(start.length);
      const [, id = '', issued = '', mac = ''] = shape.exec(value ?? '') ?? [];
      if (id === '' || nowS() - Number(issued) > lifetimeS) return null;
      const givenMac = Buffer.from(mac, 'base64url');
      const expected = macOf(email, id, issued);
      return givenMac.length === expected.length && timingSafeEqual(givenMac, expected) ? id : null;
    },
    issue(email, deviceId) {
      const id = deviceId ?? randomBytes(16).toString('base64url');
      const issued = String(nowS());
      const value = `v1.${id}.${issued}.${macOf(email, id, issued).toString('base64url')}`;
      return `${nameOf(email)}=${value}; Max-Age=${lifetimeS}; Path=/api/auth; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
    },
  };
}
