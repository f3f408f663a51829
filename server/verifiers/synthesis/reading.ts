import { isBlank, jsonAsText } from '../../domain';
import { isObject, textAt } from '../subjects/json-value';
import { pipelineSpans, type PipelineSpan, queryOf } from '../subjects/pipeline';
import {
  type Material,
  noSubject,
  outputText,
  type Read,
  readBy,
  type Readings,
} from '../subjects/reading';
import { SynthesisSubject } from './subject';

/** The answer of a trace, and the outputs of its agents. */
export const synthesisReadings: Readings<SynthesisSubject> = { trace: readSynthesis };

function readSynthesis(material: Material): Read<SynthesisSubject> {
  const answers = pipelineSpans(material, 'answer', 'synthesis');
  const last = answers.at(-1);
  const agents = pipelineSpans(material, 'agent', 'agent-output').filter(
    ({ span }) => span.id !== last?.span.id,
  );
  if (agents.length === 0)
    return noSubject(
      'no_agent_outputs',
      'no span has assay.subject.kind = agent-output, and none is an agent of a known framework',
    );
  const answer = last === undefined ? outputText(material.subject) : jsonAsText(last.output);
  if (isBlank(answer)) return noSubject('no_answer', 'the trace has no output');
  return readBy(SynthesisSubject, {
    query: queryOf(material, last?.span ?? null),
    answer,
    agent_outputs: agents.map(asOutput),
  });
}

/** A `summary` member of an agent's output is its summary; the rest of the output is data. */
function asOutput({ span, agent, output }: PipelineSpan) {
  const summary = typeof output === 'string' ? output : textAt(output, 'summary');
  const data = isObject(output) && summary !== null && 'data' in output ? output.data : output;
  return {
    id: span.id,
    agent,
    summary: summary ?? '',
    data: typeof data === 'string' ? null : data,
  };
}
