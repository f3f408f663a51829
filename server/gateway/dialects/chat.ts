import { ChatStreamReader, readChatAnswer, withChatText } from './chat-answer';
import { appendMessages, readChatRequest, shapeMembers, withChatRule } from './chat-request';
import type { Dialect } from './dialect';
import { hintsOfChat } from './hints';
import { openaiError } from './openai-error';

/** OpenAI chat completions and compatible APIs. */
export const chat: Dialect = {
  name: 'chat',
  streamForm: 'sse',
  modelMember: 'model',
  hintsOf: hintsOfChat,
  readRequest: readChatRequest,
  readAnswer: readChatAnswer,
  createReader: () => new ChatStreamReader(),
  withSteering: (body, message) => appendMessages(body, [{ role: 'system', content: message }]),
  withRule: (body, rule, schema, shape) => withChatRule(body, rule, shapeMembers(schema, shape)),
  withCorrection: (body, answer, correction) => {
    const previous = answer === '' ? [] : [{ role: 'assistant', content: answer }];
    return appendMessages(body, [...previous, { role: 'user', content: correction }]);
  },
  withText: withChatText,
  errorBody: (status, code, message) =>
    Buffer.from(JSON.stringify({ error: openaiError(status, code, message) })),
  errorEvent: (status, code, message) =>
    Buffer.from(`data: ${JSON.stringify({ error: openaiError(status, code, message) })}\n\n`),
};
