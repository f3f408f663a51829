CREATE INDEX IF NOT EXISTS "verdicts_decided" ON "verdicts" USING btree ("project_id","verifier_slug","settled_at","outcome","session_id","subject_id","model","cross_model","verifier_version") WHERE outcome in ('passed', 'failed');--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "verdicts_retried" ON "verdicts" USING btree ("project_id","verifier_slug","settled_at","subject_kind","subject_id","revision","verifier_version","outcome","verdict","cross_model","judge_model","session_id") WHERE (retries_used > 0 or (kind = 'code' and detail #> '{repair,iteration}' > '0'));--> statement-breakpoint
DROP INDEX "verdicts_retries";--> statement-breakpoint
-- Imported judgements made before this know nothing of the sessions of their turns.
INSERT INTO "judgement_dues" ("project_id", "subject_id", "due_at")
SELECT DISTINCT "project_id", "subject_id", now() FROM "judgements" WHERE "origin" = 'imported' AND "turn_id" IS NOT NULL AND "session_id" IS NULL
ON CONFLICT DO NOTHING;
