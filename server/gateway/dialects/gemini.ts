import type { Dialect } from './dialect';
import { GeminiStreamReader, readGeminiAnswer } from './gemini-answer';
import {
  appendContents,
  readGeminiRequest,
  withGeminiRule,
  withInstruction,
} from './gemini-request';
import { withGeminiText } from './gemini-text';
import { hintsOfGemini } from './hints';

/** Google's generateContent. The model and the streaming mode are in the path. */
export const gemini: Dialect = {
  name: 'gemini',
  streamForm: 'sse',
  modelMember: 'modelVersion',
  hintsOf: hintsOfGemini,
  readRequest: readGeminiRequest,
  readAnswer: readGeminiAnswer,
  createReader: () => new GeminiStreamReader(),
  withSteering: withInstruction,
  withRule: withGeminiRule,
  withCorrection: (body, answer, correction) => {
    const previous = answer === '' ? [] : [{ role: 'model', text: answer }];
    return appendContents(body, [...previous, { role: 'user', text: correction }]);
  },
  withText: withGeminiText,
  errorBody: (status, _code, message) => Buffer.from(errorJson(status, message)),
  errorEvent: (status, _code, message) => Buffer.from(`data: ${errorJson(status, message)}\n\n`),
};

/** Google's errors have the name of a gRPC status, and no error codes. */
function errorJson(status: number, message: string): string {
  const name = names.get(status) ?? (status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT');
  return JSON.stringify({ error: { code: status, message, status: name } });
}

const names = new Map([
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [429, 'RESOURCE_EXHAUSTED'],
  [503, 'UNAVAILABLE'],
  [504, 'DEADLINE_EXCEEDED'],
]);
