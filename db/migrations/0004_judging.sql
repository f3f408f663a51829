CREATE TABLE "prompt_trial_subjects" (
	"project_id" text NOT NULL,
	"trial_id" text NOT NULL,
	"ordinal" integer NOT NULL,
	"subject_id" text NOT NULL,
	"verdict_id" text,
	"excerpt" text NOT NULL,
	"good" boolean NOT NULL,
	"truth_of" text NOT NULL,
	"tried_at" timestamp with time zone,
	"outcome" text,
	"verdict" text,
	"score" double precision,
	"reason" text,
	"judge_model" text,
	"production_source" text,
	"production_outcome" text,
	"production_verdict" text,
	"production_score" double precision,
	"production_reason" text,
	"judge_calls" integer DEFAULT 0 NOT NULL,
	"tokens" bigint DEFAULT 0 NOT NULL,
	"cost_usd" double precision DEFAULT 0 NOT NULL,
	CONSTRAINT "prompt_trial_subjects_project_id_trial_id_ordinal_pk" PRIMARY KEY("project_id","trial_id","ordinal")
);
--> statement-breakpoint
CREATE TABLE "llm_calls" (
	"project_id" text NOT NULL,
	"id" text NOT NULL,
	"verdict_id" text,
	"purpose" text NOT NULL,
	"attempt" integer NOT NULL,
	"provider" text NOT NULL,
	"model" text NOT NULL,
	"prompt_version" text,
	"state" text NOT NULL,
	"error_class" text,
	"message" text,
	"status" integer,
	"input_tokens" integer,
	"output_tokens" integer,
	"cost_usd" double precision,
	"latency_ms" double precision NOT NULL,
	"reply" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "llm_calls_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "providers" (
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"base_url" text NOT NULL,
	"origin" text NOT NULL,
	"sealed_key" text,
	"models" jsonb NOT NULL,
	"prices" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "providers_project_id_name_pk" PRIMARY KEY("project_id","name")
);
--> statement-breakpoint
CREATE TABLE "prompt_labels" (
	"project_id" text NOT NULL,
	"slug" text NOT NULL,
	"label" text NOT NULL,
	"version" integer NOT NULL,
	"moved_by" text NOT NULL,
	"moved_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "prompt_labels_project_id_slug_label_pk" PRIMARY KEY("project_id","slug","label")
);
--> statement-breakpoint
CREATE TABLE "prompt_versions" (
	"project_id" text NOT NULL,
	"slug" text NOT NULL,
	"version" integer NOT NULL,
	"body" text NOT NULL,
	"message" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "prompt_versions_project_id_slug_version_pk" PRIMARY KEY("project_id","slug","version")
);
--> statement-breakpoint
CREATE TABLE "worker_boxes" (
	"worker" text PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"fix" text,
	"checked_at" timestamp with time zone,
	"noted_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "thresholds" (
	"project_id" text NOT NULL,
	"verifier" text NOT NULL,
	"key" text NOT NULL,
	"mission_id" text DEFAULT '' NOT NULL,
	"task_id" text DEFAULT '' NOT NULL,
	"version" integer NOT NULL,
	"value" double precision,
	"reason" text,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "thresholds_project_id_verifier_key_mission_id_task_id_version_pk" PRIMARY KEY("project_id","verifier","key","mission_id","task_id","version")
);
--> statement-breakpoint
CREATE TABLE "judge_cache" (
	"project_id" text NOT NULL,
	"key" text NOT NULL,
	"value" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "judge_cache_project_id_key_pk" PRIMARY KEY("project_id","key")
);
--> statement-breakpoint
CREATE TABLE "mission_events" (
	"project_id" text NOT NULL,
	"mission_id" text NOT NULL,
	"id" text NOT NULL,
	"task_id" text,
	"event" text NOT NULL,
	"verdict_id" text NOT NULL,
	"score" double precision,
	"status" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mission_events_project_id_mission_id_id_pk" PRIMARY KEY("project_id","mission_id","id")
);
--> statement-breakpoint
CREATE TABLE "subjects" (
	"project_id" text NOT NULL,
	"kind" text NOT NULL,
	"id" text NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"content" text NOT NULL,
	"content_hash" text NOT NULL,
	"client_id" text,
	"mission_id" text,
	"task_id" text,
	"session_id" text,
	"trace_id" text,
	"model" text,
	"cost_usd" double precision,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "subjects_project_id_kind_id_pk" PRIMARY KEY("project_id","kind","id")
);
--> statement-breakpoint
DROP INDEX "work_due";--> statement-breakpoint
DROP INDEX "work_leased";--> statement-breakpoint
ALTER TABLE "work" ADD COLUMN "lane" text DEFAULT 'fast' NOT NULL;--> statement-breakpoint
ALTER TABLE "work" ADD COLUMN "hinted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "work" ADD COLUMN "priority" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "project_settings" ADD COLUMN "default_judge" text;--> statement-breakpoint
ALTER TABLE "project_settings" ADD COLUMN "jury" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "project_settings" ADD COLUMN "bypass_below_usd" double precision DEFAULT 0.1 NOT NULL;--> statement-breakpoint
ALTER TABLE "project_settings" ADD COLUMN "cost_budget_share" double precision DEFAULT 0.3 NOT NULL;--> statement-breakpoint
ALTER TABLE "project_settings" ADD COLUMN "retries" integer DEFAULT 2 NOT NULL;--> statement-breakpoint
ALTER TABLE "project_settings" ADD COLUMN "neutral_proof" text DEFAULT 'literal' NOT NULL;--> statement-breakpoint
ALTER TABLE "project_settings" ADD COLUMN "semantic_judge" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "verdicts" ADD COLUMN "mission_id" text;--> statement-breakpoint
ALTER TABLE "verdicts" ADD COLUMN "task_id" text;--> statement-breakpoint
ALTER TABLE "verdicts" ADD COLUMN "threshold_value" double precision;--> statement-breakpoint
ALTER TABLE "verdicts" ADD COLUMN "threshold_source" text;--> statement-breakpoint
ALTER TABLE "verdicts" ADD COLUMN "threshold_version" integer;--> statement-breakpoint
ALTER TABLE "verdicts" ADD COLUMN "retries_used" integer;--> statement-breakpoint
ALTER TABLE "verdicts" ADD COLUMN "retries_budget" integer;--> statement-breakpoint
ALTER TABLE "verdicts" ADD COLUMN "judge_calls" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "verdicts" ADD COLUMN "judge_model" text;--> statement-breakpoint
ALTER TABLE "verdicts" ADD COLUMN "cross_model" text;--> statement-breakpoint
ALTER TABLE "verdicts" ADD COLUMN "cost_usd" double precision DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "verdicts" ADD COLUMN "price_unknown" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "verdicts" ADD COLUMN "tokens" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "verdicts" ADD COLUMN "share_of_task" double precision;--> statement-breakpoint
ALTER TABLE "verdicts" ADD COLUMN "over_budget" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "llm_calls_verdict" ON "llm_calls" USING btree ("project_id","verdict_id");--> statement-breakpoint
CREATE INDEX "llm_calls_created" ON "llm_calls" USING btree ("project_id","created_at");--> statement-breakpoint
CREATE INDEX "judge_cache_created" ON "judge_cache" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "subjects_client" ON "subjects" USING btree ("project_id","kind","client_id") WHERE client_id is not null;--> statement-breakpoint
CREATE INDEX "subjects_created" ON "subjects" USING btree ("project_id","kind","created_at");--> statement-breakpoint
CREATE INDEX "subjects_mission" ON "subjects" USING btree ("project_id","mission_id") WHERE mission_id is not null;--> statement-breakpoint
CREATE INDEX "work_slow_due" ON "work" USING btree ("project_id","priority","due_at") WHERE state = 'waiting' and owner is null and lane = 'slow' and hinted_at is null;--> statement-breakpoint
CREATE INDEX "work_slow_hinted" ON "work" USING btree ("hinted_at") WHERE state = 'waiting' and owner is null and lane = 'slow' and hinted_at is not null;--> statement-breakpoint
CREATE INDEX "work_slow_leased" ON "work" USING btree ("due_at") WHERE state = 'waiting' and owner is not null and lane = 'slow';--> statement-breakpoint
CREATE INDEX "verdicts_judged" ON "verdicts" USING btree ("project_id","verifier_slug","settled_at","id") WHERE turn_id is null;--> statement-breakpoint
CREATE INDEX "verdicts_code_session" ON "verdicts" USING btree ("project_id","session_id","created_at") WHERE kind = 'code';--> statement-breakpoint
CREATE INDEX "verdicts_code" ON "verdicts" USING btree ("project_id","model","settled_at","id") WHERE kind = 'code';--> statement-breakpoint
CREATE INDEX "work_due" ON "work" USING btree ("project_id","due_at") WHERE state = 'waiting' and owner is null and lane = 'fast';--> statement-breakpoint
CREATE INDEX "work_leased" ON "work" USING btree ("due_at") WHERE state = 'waiting' and owner is not null and lane = 'fast';