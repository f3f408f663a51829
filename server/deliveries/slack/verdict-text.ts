import type { ProjectCtx } from '../../access';
import type { Outcome } from '../../domain';
import { type FullVerdict, verificationReply } from '../../verdicts';
import { type NoticeText, ownUrl } from '../notice-texts';

const outcomeWords: Readonly<Record<Outcome, string>> = {
  passed: 'Passed',
  failed: 'Failed',
  needs_review: 'Needs review',
  steered: 'Steered',
  inconclusive: 'Inconclusive',
  skipped: 'Skipped',
};

const excerptChars = 500;
const issuesShown = 5;

/** A verdict for a chat: enough to decide whether to open it. */
export function verdictText(project: ProjectCtx, verdict: FullVerdict): NoticeText {
  const { outcome, verifier, excerpt, issues, model } = verdict;
  const lines = [
    verdict.verdict === null ? null : `Verdict: ${verdict.verdict}`,
    `Subject: ${verdict.subjectId}`,
    model === null ? null : `Model: ${model}`,
    ...issues.slice(0, issuesShown).map(({ message }) => `Issue: ${message}`),
    issues.length > issuesShown ? `And ${issues.length - issuesShown} more issues` : null,
    excerpt === '' ? null : `Output: ${excerpt.slice(0, excerptChars)}`,
  ].flatMap((line) => (line === null ? [] : [line]));
  return {
    subject: `${outcomeWords[outcome]} in ${project.projectSlug}: ${verifier}`,
    text: lines.join('\n'),
    short: lines,
    url: ownUrl(project.env.webUrl, verificationReply(project, verdict)),
  };
}
