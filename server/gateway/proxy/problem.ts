import { AssayError, OutboundError } from '../../platform';

/**
 * Why the upstream sent no answer. It is shown to the owner of the route, so it names the failure
 * but no address and no key (S-47).
 */
export interface ForwardProblem {
  readonly kind: 'timeout' | 'refused' | 'unreachable' | 'request';
  readonly message: string;
}

const timeouts = new Set([
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'ETIMEDOUT',
]);
const requestFaults = new Set([
  'UND_ERR_INVALID_ARG',
  'UND_ERR_NOT_SUPPORTED',
  'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
]);

export function problemOf(error: unknown): ForwardProblem {
  if (error instanceof AssayError || (error instanceof OutboundError && error.kind === 'refused')) {
    return { kind: 'refused', message: 'the route leads to an address that is not allowed' };
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (timeouts.has(code))
    return { kind: 'timeout', message: 'the upstream did not answer in time' };
  if (requestFaults.has(code))
    return { kind: 'request', message: 'the request is invalid and cannot be forwarded' };
  return {
    kind: 'unreachable',
    message: 'the upstream could not be reached, or closed the connection before it answered',
  };
}

/** Whether a retry may succeed; a refused address or an invalid request fails again. */
export function mayPass(error: Error): boolean {
  const { kind } = problemOf(error);
  return kind === 'timeout' || kind === 'unreachable';
}
