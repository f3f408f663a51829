import { appendMessages } from './chat-request';
import type { Dialect } from './dialect';
import { hintsOfMessages } from './hints';
import { MessagesStreamReader, readMessagesAnswer } from './messages-answer';
import { readMessagesRequest, withMessagesRule, withSystemBlock } from './messages-request';
import { withMessagesText } from './messages-text';

/** Anthropic's messages API. */
export const messages: Dialect = {
  name: 'messages',
  streamForm: 'sse',
  modelMember: 'model',
  hintsOf: hintsOfMessages,
  readRequest: readMessagesRequest,
  readAnswer: readMessagesAnswer,
  createReader: () => new MessagesStreamReader(),
  withSteering: withSystemBlock,
  withRule: withMessagesRule,
  withCorrection: (body, answer, correction) => {
    const previous = answer === '' ? [] : [{ role: 'assistant', content: answer }];
    return appendMessages(body, [...previous, { role: 'user', content: correction }]);
  },
  withText: withMessagesText,
  errorBody: (status, _code, message) => Buffer.from(errorJson(status, message)),
  errorEvent: (status, _code, message) =>
    Buffer.from(`event: error\ndata: ${errorJson(status, message)}\n\n`),
};

/** This API has an error type per status, and no codes. */
function errorJson(status: number, message: string): string {
  return JSON.stringify({
    type: 'error',
    error: {
      type: types.get(status) ?? (status >= 500 ? 'api_error' : 'invalid_request_error'),
      message,
    },
  });
}

const types = new Map([
  [401, 'authentication_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [503, 'overloaded_error'],
  [504, 'timeout_error'],
]);
