CREATE TABLE "labels" (
	"project_id" text NOT NULL,
	"id" text NOT NULL,
	"kind" text NOT NULL,
	"subject_id" text NOT NULL,
	"verdict_id" text,
	"success" boolean,
	"score" double precision,
	"value" text,
	"rater" text,
	"source" text,
	"note" text,
	"selection" text,
	"probability" double precision,
	"policy_version" text,
	"content_hash" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "labels_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "deliveries" (
	"project_id" text NOT NULL,
	"id" text NOT NULL,
	"destination_id" text NOT NULL,
	"verdict_id" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"owner" text,
	"fence" bigint DEFAULT 0 NOT NULL,
	"last_error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"delivered_at" timestamp with time zone,
	CONSTRAINT "deliveries_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "destinations" (
	"project_id" text NOT NULL,
	"id" text NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"secret_sealed" text,
	"headers_sealed" text,
	"outcomes" text[] NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "destinations_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "job_files" (
	"project_id" text NOT NULL,
	"job_id" text NOT NULL,
	"ordinal" integer NOT NULL,
	"body" "bytea" NOT NULL,
	CONSTRAINT "job_files_project_id_job_id_ordinal_pk" PRIMARY KEY("project_id","job_id","ordinal")
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"project_id" text NOT NULL,
	"id" text NOT NULL,
	"kind" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"input" jsonb NOT NULL,
	"cursor" jsonb,
	"done" bigint DEFAULT 0 NOT NULL,
	"total" bigint,
	"errors" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"error_count" bigint DEFAULT 0 NOT NULL,
	"result" jsonb,
	"reason" text,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"owner" text,
	"fence" bigint DEFAULT 0 NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	CONSTRAINT "jobs_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "decision_rollups" (
	"project_id" text NOT NULL,
	"day" date NOT NULL,
	"rule" text NOT NULL,
	"state" text NOT NULL,
	"shard" text NOT NULL,
	"count" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "decision_rollups_project_id_day_rule_state_shard_pk" PRIMARY KEY("project_id","day","rule","state","shard")
);
--> statement-breakpoint
CREATE TABLE "decisions" (
	"project_id" text NOT NULL,
	"subject_id" text NOT NULL,
	"revision" integer NOT NULL,
	"rule" text NOT NULL,
	"rule_version" integer NOT NULL,
	"subject_kind" text NOT NULL,
	"verifier" text NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"verdict_id" text,
	"decided_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "decisions_project_id_subject_id_revision_rule_pk" PRIMARY KEY("project_id","subject_id","revision","rule")
);
--> statement-breakpoint
CREATE TABLE "rule_spending" (
	"project_id" text NOT NULL,
	"rule" text NOT NULL,
	"day" date NOT NULL,
	"verdict_id" text NOT NULL,
	CONSTRAINT "rule_spending_project_id_rule_day_verdict_id_pk" PRIMARY KEY("project_id","rule","day","verdict_id")
);
--> statement-breakpoint
CREATE TABLE "rules" (
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"verifier" text NOT NULL,
	"target" text NOT NULL,
	"filter" jsonb NOT NULL,
	"sampling" double precision NOT NULL,
	"delay_seconds" integer DEFAULT 0 NOT NULL,
	"daily_budget" integer,
	"enabled" boolean NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "rules_project_id_name_pk" PRIMARY KEY("project_id","name")
);
--> statement-breakpoint
CREATE TABLE "foreign_scores" (
	"project_id" text NOT NULL,
	"id" text NOT NULL,
	"subject_id" text,
	"turn_id" text,
	"trace_id" text,
	"span_id" text,
	"source" text NOT NULL,
	"name" text NOT NULL,
	"value" double precision,
	"label" text,
	"explanation" text,
	"model" text,
	"measured_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "foreign_scores_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "intake_rollups" (
	"project_id" text NOT NULL,
	"day" date NOT NULL,
	"shard" text NOT NULL,
	"turns" bigint DEFAULT 0 NOT NULL,
	"spans" bigint DEFAULT 0 NOT NULL,
	"duplicates" bigint DEFAULT 0 NOT NULL,
	"rejected" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "intake_rollups_project_id_day_shard_pk" PRIMARY KEY("project_id","day","shard")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"project_id" text NOT NULL,
	"id" text NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sessions_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "trace_segments" (
	"project_id" text NOT NULL,
	"trace_id" text NOT NULL,
	"hash" text NOT NULL,
	"format" text NOT NULL,
	"body" "bytea" NOT NULL,
	"spans" integer NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "trace_segments_project_id_trace_id_hash_pk" PRIMARY KEY("project_id","trace_id","hash")
);
--> statement-breakpoint
CREATE TABLE "traces" (
	"project_id" text NOT NULL,
	"id" text NOT NULL,
	"revision" integer DEFAULT 0 NOT NULL,
	"has_root" boolean NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"assembled_at" timestamp with time zone,
	"name" text,
	"service" text,
	"session_id" text,
	"user_id" text,
	"started_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"spans" integer DEFAULT 0 NOT NULL,
	"errors" integer DEFAULT 0 NOT NULL,
	"turns" integer DEFAULT 0 NOT NULL,
	"models" text[],
	"input_tokens" bigint,
	"output_tokens" bigint,
	"cost_usd" double precision,
	"flags" text[],
	"tags" text[],
	"notes" jsonb,
	CONSTRAINT "traces_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
DROP INDEX "work_due";--> statement-breakpoint
ALTER TABLE "work" ADD COLUMN "rule" text;--> statement-breakpoint
ALTER TABLE "turns" ADD COLUMN "origin" text DEFAULT 'api' NOT NULL;--> statement-breakpoint
ALTER TABLE "turns" ADD COLUMN "span_id" text;--> statement-breakpoint
ALTER TABLE "turns" ADD COLUMN "superseded" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "verdicts" ADD COLUMN "rule" text;--> statement-breakpoint
CREATE INDEX "labels_subject" ON "labels" USING btree ("project_id","subject_id");--> statement-breakpoint
CREATE INDEX "labels_created" ON "labels" USING btree ("project_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "deliveries_once" ON "deliveries" USING btree ("project_id","destination_id","verdict_id");--> statement-breakpoint
CREATE INDEX "deliveries_due" ON "deliveries" USING btree ("due_at") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "deliveries_listed" ON "deliveries" USING btree ("project_id","destination_id","created_at");--> statement-breakpoint
CREATE INDEX "jobs_due" ON "jobs" USING btree ("due_at") WHERE state in ('waiting', 'running');--> statement-breakpoint
CREATE INDEX "jobs_created" ON "jobs" USING btree ("project_id","created_at");--> statement-breakpoint
CREATE INDEX "decisions_rule" ON "decisions" USING btree ("project_id","rule","decided_at");--> statement-breakpoint
CREATE INDEX "foreign_scores_trace" ON "foreign_scores" USING btree ("project_id","trace_id") WHERE trace_id is not null;--> statement-breakpoint
CREATE INDEX "foreign_scores_turn" ON "foreign_scores" USING btree ("project_id","turn_id") WHERE turn_id is not null;--> statement-breakpoint
CREATE INDEX "sessions_received" ON "sessions" USING btree ("project_id","received_at","id");--> statement-breakpoint
CREATE INDEX "traces_received" ON "traces" USING btree ("project_id","received_at","id");--> statement-breakpoint
CREATE INDEX "traces_session" ON "traces" USING btree ("project_id","session_id") WHERE session_id is not null;--> statement-breakpoint
CREATE INDEX "work_leased" ON "work" USING btree ("due_at") WHERE state = 'waiting' and owner is not null;--> statement-breakpoint
CREATE INDEX "turns_session" ON "turns" USING btree ("project_id","session_id","received_at") WHERE session_id is not null;--> statement-breakpoint
CREATE INDEX "turns_trace" ON "turns" USING btree ("project_id","trace_id") WHERE trace_id is not null;--> statement-breakpoint
CREATE INDEX "work_due" ON "work" USING btree ("project_id","due_at") WHERE state = 'waiting' and owner is null;--> statement-breakpoint
ALTER TABLE "trace_segments" ALTER COLUMN "body" SET STORAGE EXTERNAL;--> statement-breakpoint
ALTER TABLE "trace_segments" SET (toast_tuple_target = 8160);--> statement-breakpoint
INSERT INTO "rules" ("project_id", "name", "verifier", "target", "filter", "sampling", "enabled", "created_by")
SELECT "id", 'integrity', 'integrity', 'turn', '{}', 1, true, 'system' FROM "projects" ON CONFLICT DO NOTHING;--> statement-breakpoint
UPDATE "work" SET "rule" = 'integrity' WHERE "verifier" = 'integrity';--> statement-breakpoint
INSERT INTO "sessions" ("project_id", "id", "received_at")
SELECT "project_id", "session_id", min("received_at") FROM "turns" WHERE "session_id" IS NOT NULL GROUP BY 1, 2;
