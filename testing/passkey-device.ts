import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** Differences of a device from a real one. */
interface DeviceQuirks {
  /** True if the device checked a fingerprint or a PIN, which is the default. */
  readonly isVerified?: boolean;
  /** By default the origin of the device. */
  readonly origin?: string;
}

type Options = Readonly<Record<string, unknown>>;

/**
 * A passkey in memory, as a browser and its device answer for it (WebAuthn level 3: ES256, no
 * attestation).
 */
export function createPasskeyDevice(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(16);
  let counter = 0;

  function authData({ isVerified = true }: DeviceQuirks, attested: Buffer): Buffer {
    counter += 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    // Bits: 1 present, 4 verified, 64 attested data follow.
    const flags = 1 + (isVerified ? 4 : 0) + (attested.length > 0 ? 64 : 0);
    return Buffer.concat([sha256(new URL(origin).hostname), Buffer.from([flags]), count, attested]);
  }

  const clientData = (type: string, { challenge }: Options, quirks: DeviceQuirks): Buffer =>
    Buffer.from(
      JSON.stringify({ type, challenge, origin: quirks.origin ?? origin, crossOrigin: false }),
    );

  const credential = (response: object) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  });

  return {
    /** The answer to the options of a registration. */
    register(options: Options, quirks: DeviceQuirks = {}) {
      const key = coseKey(x, y);
      const data = authData(
        quirks,
        Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key]),
      );
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        cborText('fmt'),
        cborText('none'),
        cborText('attStmt'),
        Buffer.from([0xa0]),
        cborText('authData'),
        Buffer.from([0x58, data.length]),
        data,
      ]);
      return credential({
        clientDataJSON: clientData('webauthn.create', options, quirks).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      });
    },
    /** The answer to the options of a sign-in. */
    signIn(options: Options, quirks: DeviceQuirks = {}) {
      const data = authData(quirks, Buffer.alloc(0));
      const client = clientData('webauthn.get', options, quirks);
      return credential({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', Buffer.concat([data, sha256(client)]), privateKey).toString(
          'base64url',
        ),
      });
    },
  };
}

const coseKey = (x: string, y: string): Buffer =>
  Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ]);

const sha256 = (of: string | Buffer): Buffer => createHash('sha256').update(of).digest();

/** A text below 24 bytes in CBOR. */
const cborText = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
