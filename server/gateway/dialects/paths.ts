import type { GatewayDialect } from '../../domain';

/**
 * Paths of model APIs after `/gateway/{route}`, as their SDKs build them from a base URL: `/v1/…`
 * (OpenAI, Anthropic, Mistral), `/openai/v1/…` (Groq, Azure), `/openai/deployments/{deployment}/…`
 * and `/openai/…` (Azure), `/v1beta/models/{model}:{method}` (Google), `/api/…` (Ollama).
 */

/** A header in which an API reads its key; others use `authorization` or `x-api-key`. */
export type KeyHeader = 'x-goog-api-key' | 'api-key';

export interface ApiPath {
  /** The path is sent below the route's base URL, or below the root of its server. */
  readonly below: 'base' | 'server';
  readonly sent: string;
  /** The path within the API: `/chat/completions`, `/models/m:generateContent`, `/api/chat`. */
  readonly operation: string;
  /** Null means the header of the route's API. */
  readonly keyHeader: KeyHeader | null;
  /** The format of errors; null means the format of the route's API. */
  readonly errors: GatewayDialect | null;
}

/** The OpenAI or Anthropic API at the route's base URL; Google's has a version before `/openai`. */
const baseForm = /^\/(?:openai\/v1|v1beta\/openai|v1)(?=\/|$)/;
const azureForm = /^\/openai(?:\/deployments\/[^/]+)?(?=\/|$)/;
const googleForm = /^\/v1(?:alpha|beta)?(?=\/|$)/;
const ollamaForm = /^\/api(?=\/|$)/;
const googleMethod =
  /^\/(?:models|tunedModels)\/[^/]+:(?:generateContent|streamGenerateContent|countTokens|embedContent|batchEmbedContents)\/?$/i;

/** @param path without the query. Null if it is not a path of an API */
export function readApiPath(path: string): ApiPath | null {
  const base = baseForm.exec(path)?.[0];
  const apiPath = base === undefined ? path : path.slice(base.length);
  const google = googleForm.exec(path)?.[0];
  // Clients of Google's stable version use `/v1` as well.
  if (google !== undefined && (base === undefined || googleMethod.test(apiPath)))
    return {
      below: 'server',
      sent: path,
      operation: path.slice(google.length),
      keyHeader: 'x-goog-api-key',
      errors: 'gemini',
    };
  if (base !== undefined)
    return { below: 'base', sent: apiPath, operation: apiPath, keyHeader: null, errors: null };
  const azure = azureForm.exec(path)?.[0];
  if (azure !== undefined)
    return {
      below: 'server',
      sent: path,
      operation: path.slice(azure.length),
      keyHeader: 'api-key',
      errors: 'chat',
    };
  return ollamaForm.test(path)
    ? { below: 'server', sent: path, operation: path, keyHeader: null, errors: 'ollama' }
    : null;
}

/**
 * The root of a server in a base URL's path: without the segments that name an API or its version,
 * such as `/v1`, `/v1beta/openai`, `/openai/v1` or `/api`.
 */
export function serverPath(basePath: string): string {
  return serverForm.exec(basePath)?.[1] ?? '';
}

const serverForm =
  /^(.*?)(?:\/v1(?:alpha|beta)?)?(?:\/openai(?:\/deployments\/[^/]+)?)?(?:\/v1|\/api)?\/?$/;

/** The API of an operation in lower case; null if the call is passed through and only counted. */
export function dialectOfPath(method: string, operation: string): GatewayDialect | null {
  if (method !== 'POST') return null;
  return (
    operations.get(operation) ?? googleDialects.get(googleCall.exec(operation)?.[1] ?? '') ?? null
  );
}

const operations = new Map<string, GatewayDialect>([
  ['/chat/completions', 'chat'],
  ['/responses', 'responses'],
  ['/messages', 'messages'],
  ['/api/chat', 'ollama'],
  ['/embeddings', 'embeddings'],
  ['/api/embed', 'embeddings'],
  ['/api/embeddings', 'embeddings'],
]);
const googleCall = /^\/(?:models|tunedmodels)\/.+:([a-z]+)$/;
const googleDialects = new Map<string, GatewayDialect>([
  ['generatecontent', 'gemini'],
  ['streamgeneratecontent', 'gemini'],
  ['embedcontent', 'embeddings'],
  ['batchembedcontents', 'embeddings'],
]);

/** The facts of a call that some APIs put into its path instead of its body. */
export interface PathNames {
  readonly model: string | null;
  readonly stream: boolean;
  /** The model is the name of an Azure deployment, which its answers do not repeat. */
  readonly isDeployment: boolean;
}

const deployment = /\/openai\/deployments\/([^/?]+)/i;
const googleNames = /\/((?:models|tunedModels)\/[^/?]+):(stream)?[a-z]+\/?$/i;

/** @param sent path as sent upstream, with its query */
export function namesInPath(sent: string): PathNames {
  const path = sent.split('?', 1)[0] ?? '';
  const deployed = deployment.exec(path)?.[1];
  if (deployed !== undefined)
    return { model: decoded(deployed), stream: false, isDeployment: true };
  const google = googleNames.exec(path);
  if (google?.[1] === undefined) return { model: null, stream: false, isDeployment: false };
  const model = decoded(google[1].replace(/^models\//i, ''));
  return { model, stream: google[2] !== undefined, isDeployment: false };
}

/** A valid path has valid escapes only. */
function decoded(segment: string): string {
  return segment.includes('%') ? decodeURIComponent(segment) : segment;
}
