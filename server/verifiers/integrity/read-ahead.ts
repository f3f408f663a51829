import { scanFigures, SourceIndex, traceFigures } from '../../figures';
import type { IntegrityConfig } from './config';
import { SOURCES_CHARS_MAX } from './plan';
import { type IntegritySubject, sourcesOf } from './subject';

/**
 * An answer with a number and a date: what is made for the first figure of each sort is made with
 * it.
 */
const REHEARSAL = 'It is 1.5 on 2020-01-02.';

/**
 * The subject with its sources read, before there is an answer: what an answer then costs is its
 * own figures. The same verdict comes of it. The config must be the one that the plan is made with.
 * Takes 1 ms for some 20 KiB of sources.
 */
export function withSourcesRead(
  subject: IntegritySubject,
  config: IntegrityConfig,
): IntegritySubject {
  const sources = sourcesOf(subject, config.allow_user_figures);
  if (sources.reduce((sum, { text }) => sum + text.length, 0) > SOURCES_CHARS_MAX) return subject;
  const index = new SourceIndex(sources);
  traceFigures(scanFigures(REHEARSAL), REHEARSAL, index);
  return { ...subject, index };
}
