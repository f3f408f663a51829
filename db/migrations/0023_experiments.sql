CREATE TABLE "dataset_items" (
	"project_id" text NOT NULL,
	"dataset_id" text NOT NULL,
	"id" text NOT NULL,
	"from_version" integer NOT NULL,
	"to_version" integer,
	"ordinal" bigint NOT NULL,
	"content" text NOT NULL,
	"content_hash" text NOT NULL,
	"split" text,
	"tags" text[] NOT NULL,
	"turn_id" text,
	"selection" text,
	"probability" double precision,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "dataset_items_project_id_dataset_id_id_from_version_pk" PRIMARY KEY("project_id","dataset_id","id","from_version")
);
--> statement-breakpoint
CREATE TABLE "dataset_versions" (
	"project_id" text NOT NULL,
	"dataset_id" text NOT NULL,
	"version" integer NOT NULL,
	"items" integer NOT NULL,
	"added" integer NOT NULL,
	"changed" integer NOT NULL,
	"removed" integer NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "dataset_versions_project_id_dataset_id_version_pk" PRIMARY KEY("project_id","dataset_id","version")
);
--> statement-breakpoint
CREATE TABLE "datasets" (
	"project_id" text NOT NULL,
	"id" text NOT NULL,
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "datasets_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "experiment_rows" (
	"project_id" text NOT NULL,
	"experiment_id" text NOT NULL,
	"ordinal" integer NOT NULL,
	"item_id" text NOT NULL,
	"repetition" integer NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"turn_id" text,
	"cost_usd" double precision,
	"latency_ms" double precision,
	"error" text,
	"reserved_micros" bigint DEFAULT 0 NOT NULL,
	"asked_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	CONSTRAINT "experiment_rows_project_id_experiment_id_ordinal_pk" PRIMARY KEY("project_id","experiment_id","ordinal")
);
--> statement-breakpoint
CREATE TABLE "experiments" (
	"project_id" text NOT NULL,
	"id" text NOT NULL,
	"name" text NOT NULL,
	"dataset_id" text NOT NULL,
	"dataset_slug" text NOT NULL,
	"dataset_version" integer NOT NULL,
	"split" text,
	"repetitions" integer NOT NULL,
	"target" jsonb NOT NULL,
	"headers" text,
	"verifiers" text[] NOT NULL,
	"concurrency" integer NOT NULL,
	"budget_micros" bigint,
	"spent_micros" bigint DEFAULT 0 NOT NULL,
	"reserved_micros" bigint DEFAULT 0 NOT NULL,
	"branch" text,
	"commit" text,
	"baseline_id" text,
	"job_id" text NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	CONSTRAINT "experiments_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
DROP INDEX "verdicts_decided";--> statement-breakpoint
DROP INDEX "verdicts_retried";--> statement-breakpoint
ALTER TABLE "work" ADD COLUMN IF NOT EXISTS "experiment_id" text;--> statement-breakpoint
ALTER TABLE "verdicts" ADD COLUMN IF NOT EXISTS "experiment_id" text;--> statement-breakpoint
CREATE INDEX "dataset_items_place" ON "dataset_items" USING btree ("project_id","dataset_id","ordinal");--> statement-breakpoint
CREATE INDEX "dataset_items_content" ON "dataset_items" USING btree ("project_id","dataset_id","content_hash");--> statement-breakpoint
CREATE INDEX "dataset_items_turn" ON "dataset_items" USING btree ("project_id","turn_id") WHERE turn_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "datasets_slug" ON "datasets" USING btree ("project_id","slug");--> statement-breakpoint
CREATE UNIQUE INDEX "experiment_rows_item" ON "experiment_rows" USING btree ("project_id","experiment_id","item_id","repetition");--> statement-breakpoint
CREATE INDEX "experiment_rows_turn" ON "experiment_rows" USING btree ("project_id","turn_id") WHERE turn_id is not null;--> statement-breakpoint
CREATE INDEX "experiments_created" ON "experiments" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "turns_of_experiments" ON "turns" USING btree ("project_id","received_at") WHERE origin = 'experiment';--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "verdicts_experiment" ON "verdicts" USING btree ("project_id","experiment_id","turn_id") WHERE experiment_id is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "verdicts_decided_live" ON "verdicts" USING btree ("project_id","verifier_slug","settled_at","outcome","session_id","subject_id","model","cross_model","verifier_version") WHERE outcome in ('passed', 'failed') and experiment_id is null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "verdicts_retried_live" ON "verdicts" USING btree ("project_id","verifier_slug","settled_at","subject_kind","subject_id","revision","verifier_version","outcome","verdict","cross_model","judge_model","session_id") WHERE (retries_used > 0 or (kind = 'code' and detail #> '{repair,iteration}' > '0')) and experiment_id is null;;