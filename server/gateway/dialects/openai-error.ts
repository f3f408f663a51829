/** The `error` object of OpenAI's APIs. */
export function openaiError(
  status: number,
  code: string,
  message: string,
): { message: string; type: string; param: null; code: string } {
  return {
    message,
    type: types.get(status) ?? (status >= 500 ? 'server_error' : 'invalid_request_error'),
    param: null,
    code,
  };
}

const types = new Map([
  [401, 'authentication_error'],
  [403, 'permission_error'],
  [429, 'rate_limit_error'],
]);
