import type { Dialect } from './dialect';
import { hintsOfResponses } from './hints';
import { openaiError } from './openai-error';
import { readResponsesAnswer, ResponsesStreamReader, withResponsesText } from './responses-answer';
import { appendInput, readResponsesRequest, withResponsesRule } from './responses-request';

/** OpenAI's responses API. */
export const responses: Dialect = {
  name: 'responses',
  streamForm: 'sse',
  modelMember: 'model',
  hintsOf: hintsOfResponses,
  readRequest: readResponsesRequest,
  readAnswer: readResponsesAnswer,
  createReader: () => new ResponsesStreamReader(),
  withSteering: (body, message) => appendInput(body, [{ role: 'system', content: message }]),
  withRule: withResponsesRule,
  withCorrection: (body, answer, correction) => {
    const previous = answer === '' ? [] : [{ role: 'assistant', content: answer }];
    return appendInput(body, [...previous, { role: 'user', content: correction }]);
  },
  withText: withResponsesText,
  errorBody: (status, code, message) =>
    Buffer.from(JSON.stringify({ error: openaiError(status, code, message) })),
  errorEvent: (_status, code, message) => {
    return Buffer.from(
      `event: error\ndata: ${JSON.stringify({ type: 'error', code, message, param: null, sequence_number: 0 })}\n\n`,
    );
  },
};
