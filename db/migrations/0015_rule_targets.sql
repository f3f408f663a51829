CREATE TABLE "rule_costs" (
	"project_id" text NOT NULL,
	"rule" text NOT NULL,
	"day" date NOT NULL,
	"spent_micros" bigint DEFAULT 0 NOT NULL,
	"reserved_micros" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "rule_costs_project_id_rule_day_pk" PRIMARY KEY("project_id","rule","day")
);
--> statement-breakpoint
CREATE TABLE "rule_planning" (
	"project_id" text NOT NULL,
	"target" text NOT NULL,
	"planned_to" timestamp with time zone NOT NULL,
	CONSTRAINT "rule_planning_project_id_target_pk" PRIMARY KEY("project_id","target")
);
--> statement-breakpoint
DROP INDEX "verdicts_judged";--> statement-breakpoint
ALTER TABLE "work" ADD COLUMN "awaits" jsonb;--> statement-breakpoint
ALTER TABLE "rules" ADD COLUMN "mapping" jsonb;--> statement-breakpoint
ALTER TABLE "rules" ADD COLUMN "sample_by" text DEFAULT 'subject' NOT NULL;--> statement-breakpoint
ALTER TABLE "rules" ADD COLUMN "every" integer;--> statement-breakpoint
ALTER TABLE "rules" ADD COLUMN "daily_budget_usd" double precision;--> statement-breakpoint
ALTER TABLE "project_settings" ADD COLUMN "session_idle_seconds" integer DEFAULT 1800 NOT NULL;--> statement-breakpoint
ALTER TABLE "subjects" ADD COLUMN "turn_id" text;--> statement-breakpoint
CREATE INDEX "work_held" ON "work" USING btree ("project_id","subject_id") WHERE state = 'held';--> statement-breakpoint
CREATE INDEX "verdicts_judged" ON "verdicts" USING btree ("project_id","verifier_slug","settled_at","id") WHERE subject_kind <> 'turn';