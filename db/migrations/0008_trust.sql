CREATE TABLE "alert_events" (
	"project_id" text NOT NULL,
	"id" text NOT NULL,
	"kind" text NOT NULL,
	"series" text NOT NULL,
	"name" text NOT NULL,
	"event" text NOT NULL,
	"severity" text NOT NULL,
	"value" double precision,
	"limit_value" double precision,
	"message" text NOT NULL,
	"found" integer DEFAULT 1 NOT NULL,
	"notice_id" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "alert_events_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "alert_looks" (
	"project_id" text PRIMARY KEY NOT NULL,
	"looked_at" timestamp with time zone NOT NULL,
	"fence" bigint DEFAULT 0 NOT NULL,
	"stand_in" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alert_rules" (
	"project_id" text NOT NULL,
	"kind" text NOT NULL,
	"verifier_slug" text DEFAULT '' NOT NULL,
	"enabled" boolean NOT NULL,
	"limit_value" double precision,
	"window_minutes" integer NOT NULL,
	"no_data" text NOT NULL,
	"renotify_minutes" integer,
	"updated_by" text NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "alert_rules_project_id_kind_verifier_slug_pk" PRIMARY KEY("project_id","kind","verifier_slug")
);
--> statement-breakpoint
CREATE TABLE "alert_states" (
	"project_id" text NOT NULL,
	"kind" text NOT NULL,
	"series" text NOT NULL,
	"name" text NOT NULL,
	"state" text NOT NULL,
	"severity" text NOT NULL,
	"value" double precision,
	"limit_value" double precision,
	"message" text NOT NULL,
	"advice" text,
	"href" text,
	"found" integer DEFAULT 0 NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL,
	"notified_at" timestamp with time zone,
	"looked_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "alert_states_project_id_kind_series_pk" PRIMARY KEY("project_id","kind","series")
);
--> statement-breakpoint
CREATE TABLE "notices" (
	"project_id" text NOT NULL,
	"id" text NOT NULL,
	"kind" text NOT NULL,
	"ref_id" text NOT NULL,
	"severity" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"data" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "notices_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "report_schedules" (
	"project_id" text NOT NULL,
	"id" text NOT NULL,
	"name" text NOT NULL,
	"cron" text NOT NULL,
	"zone" text DEFAULT 'UTC' NOT NULL,
	"days" integer NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"sent" boolean DEFAULT true NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "report_schedules_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "reports" (
	"project_id" text NOT NULL,
	"id" text NOT NULL,
	"schedule_id" text,
	"title" text NOT NULL,
	"from" timestamp with time zone NOT NULL,
	"to" timestamp with time zone NOT NULL,
	"content" jsonb,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"made_at" timestamp with time zone,
	CONSTRAINT "reports_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "probe_answers" (
	"project_id" text NOT NULL,
	"run_id" text NOT NULL,
	"ordinal" integer NOT NULL,
	"variant" text NOT NULL,
	"repeat" integer NOT NULL,
	"subject_kind" text NOT NULL,
	"subject_id" text NOT NULL,
	"revision" integer NOT NULL,
	"excerpt" text NOT NULL,
	"good" boolean,
	"judged_at" timestamp with time zone,
	"outcome" text,
	"verdict" text,
	"score" double precision,
	"reason" text,
	"judge" text,
	"parts" jsonb,
	"cost_usd" double precision DEFAULT 0 NOT NULL,
	CONSTRAINT "probe_answers_project_id_run_id_ordinal_variant_repeat_pk" PRIMARY KEY("project_id","run_id","ordinal","variant","repeat")
);
--> statement-breakpoint
CREATE TABLE "probe_runs" (
	"project_id" text NOT NULL,
	"id" text NOT NULL,
	"verifier_slug" text NOT NULL,
	"verifier_version" integer NOT NULL,
	"probe" text NOT NULL,
	"items" integer NOT NULL,
	"repeats" integer NOT NULL,
	"prompts" text,
	"judge" text,
	"findings" jsonb,
	"cost_usd" double precision DEFAULT 0 NOT NULL,
	"created_by" text NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "probe_runs_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "promotions" (
	"project_id" text NOT NULL,
	"id" text NOT NULL,
	"slug" text NOT NULL,
	"before" text NOT NULL,
	"after" text NOT NULL,
	"trial_id" text,
	"state" text NOT NULL,
	"findings" jsonb NOT NULL,
	"reason" text,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"approved_by" text,
	"ended_by" text,
	"ended_at" timestamp with time zone,
	CONSTRAINT "promotions_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "trust_changes" (
	"project_id" text NOT NULL,
	"id" text NOT NULL,
	"verifier_slug" text NOT NULL,
	"version" integer NOT NULL,
	"judge" text NOT NULL,
	"before" text,
	"after" text NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "trust_changes_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "trust_settings" (
	"project_id" text NOT NULL,
	"verifier_slug" text NOT NULL,
	"enforce_trust" boolean NOT NULL,
	"catch_target" double precision NOT NULL,
	"false_rejection_target" double precision NOT NULL,
	"required_slices" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"half_life_days" integer NOT NULL,
	"updated_by" text NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "trust_settings_project_id_verifier_slug_pk" PRIMARY KEY("project_id","verifier_slug")
);
--> statement-breakpoint
CREATE TABLE "trust_states" (
	"project_id" text NOT NULL,
	"verifier_slug" text NOT NULL,
	"version" integer NOT NULL,
	"judge" text NOT NULL,
	"in_force" boolean DEFAULT false NOT NULL,
	"state" text NOT NULL,
	"gaps" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"measures" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL,
	"looked_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "trust_states_project_id_verifier_slug_version_judge_pk" PRIMARY KEY("project_id","verifier_slug","version","judge")
);
--> statement-breakpoint
ALTER TABLE "deliveries" ALTER COLUMN "verdict_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "anchor_runs" ADD COLUMN "setting" jsonb;--> statement-breakpoint
ALTER TABLE "prompt_trial_subjects" ADD COLUMN "production_judge" text;--> statement-breakpoint
ALTER TABLE "prompt_trial_subjects" ADD COLUMN "own_cost_usd" double precision;--> statement-breakpoint
ALTER TABLE "prompt_trial_subjects" ADD COLUMN "production_cost_usd" double precision;--> statement-breakpoint
ALTER TABLE "prompt_trial_subjects" ADD COLUMN "latency_ms" double precision;--> statement-breakpoint
ALTER TABLE "prompt_trial_subjects" ADD COLUMN "production_latency_ms" double precision;--> statement-breakpoint
ALTER TABLE "prompt_trial_subjects" ADD COLUMN "slices" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "notice_id" text;--> statement-breakpoint
ALTER TABLE "destinations" ADD COLUMN "sends" text[] DEFAULT '{verdicts}' NOT NULL;--> statement-breakpoint
ALTER TABLE "project_settings" ADD COLUMN "promotion_gate" text DEFAULT 'advise' NOT NULL;--> statement-breakpoint
ALTER TABLE "verdicts" ADD COLUMN "basis" jsonb;--> statement-breakpoint
CREATE INDEX "alert_events_created" ON "alert_events" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE INDEX "alert_events_series" ON "alert_events" USING btree ("project_id","kind","series","created_at");--> statement-breakpoint
CREATE INDEX "reports_created" ON "reports" USING btree ("project_id","created_at","id");--> statement-breakpoint
CREATE INDEX "probe_runs_verifier" ON "probe_runs" USING btree ("project_id","verifier_slug","started_at");--> statement-breakpoint
CREATE INDEX "promotions_slug" ON "promotions" USING btree ("project_id","slug","created_at");--> statement-breakpoint
CREATE INDEX "promotions_waiting" ON "promotions" USING btree ("project_id","created_at") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "trust_changes_verifier" ON "trust_changes" USING btree ("project_id","verifier_slug","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "deliveries_notice" ON "deliveries" USING btree ("project_id","destination_id","notice_id") WHERE notice_id is not null;