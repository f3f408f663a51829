import { Readable } from 'node:stream';
import { type Env, invalid, refused } from '../../platform';

/** A place in storage that speaks the API of Amazon S3. */
export interface ObjectPlace {
  readonly bucket: string;
  /** A key, or a prefix that ends in `/` or is empty. */
  readonly key: string;
}

/** Bytes of one part of an upload; S3 takes 10,000 parts, so 160 GB in all. */
const partBytes = 16 * 1024 * 1024;

/**
 * `s3://bucket/backups/`
 * @returns null if the text is not such an address
 * @throws AssayError invalid_request
 */
export function readObjectPlace(text: string): ObjectPlace | null {
  if (!text.startsWith('s3://')) return null;
  const [, bucket, key] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(text) ?? [];
  if (bucket === undefined)
    throw invalid(
      `"${text.slice(0, 200)}" must be s3://BUCKET/KEY, with a bucket of 3 to 63 characters`,
    );
  return { bucket, key: key ?? '' };
}

export const placeText = ({ bucket, key }: ObjectPlace): string => `s3://${bucket}/${key}`;

/**
 * Stores a stream as one object, in parts. The object appears when all of it is stored; nothing
 * remains of a failed upload, and an object is never replaced.
 * @returns its size in bytes
 * @throws AssayError refused, with the fault in words
 */
export async function putObject(
  env: Pick<Env, 's3Endpoint'>,
  place: ObjectPlace,
  body: Readable,
): Promise<number> {
  const client = await openStorage(env);
  const { Upload } = await import('@aws-sdk/lib-storage');
  let bytes = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      yield chunk;
    }
  }
  const upload = new Upload({
    client,
    params: {
      Bucket: place.bucket,
      Key: place.key,
      Body: Readable.from(counted(), { objectMode: false }),
      IfNoneMatch: '*',
    },
    partSize: partBytes,
    queueSize: 2,
  });
  try {
    await upload.done();
    return bytes;
  } catch (error) {
    throw storageFault(error, place, 'stored');
  } finally {
    client.destroy();
  }
}

/**
 * Reads an object.
 * @throws AssayError refused, with the fault in words
 */
export async function getObject(
  env: Pick<Env, 's3Endpoint'>,
  place: ObjectPlace,
): Promise<Readable> {
  const client = await openStorage(env);
  const { GetObjectCommand } = await import('@aws-sdk/client-s3');
  try {
    const { Body } = await client.send(
      new GetObjectCommand({ Bucket: place.bucket, Key: place.key }),
    );
    return Body as Readable;
  } catch (error) {
    throw storageFault(error, place, 'read');
  }
}

/** Only the commands that use it load the library. */
async function openStorage({ s3Endpoint }: Pick<Env, 's3Endpoint'>) {
  const { S3Client } = await import('@aws-sdk/client-s3');
  return new S3Client({
    ...(s3Endpoint === null ? {} : { endpoint: s3Endpoint }),
    // Storage other than Amazon's has no host name per bucket, and not all of it takes checksums in
    // trailers. The backup has its own checksums.
    forcePathStyle: s3Endpoint !== null,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

function storageFault(error: unknown, place: ObjectPlace, verb: string): Error {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const at = placeText(place);
  if (name === 'PreconditionFailed')
    return refused(`${at} already exists; choose another key, or a prefix that ends in /`);
  if (name === 'NoSuchBucket') return refused(`the bucket "${place.bucket}" does not exist`);
  if (name === 'NoSuchKey') return refused(`${at} does not exist`);
  if (name === 'CredentialsProviderError')
    return refused(
      `${at} cannot be ${verb} without credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`,
    );
  if (/^region /i.test(message))
    return refused(`${at} cannot be ${verb} without a region; set AWS_REGION`);
  return refused(
    `${at} could not be ${verb}: ${name === 'Error' ? message : `${name}: ${message}`}`,
  );
}
