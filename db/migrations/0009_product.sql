CREATE TABLE "gateway_days" (
	"project_id" text NOT NULL,
	"day" date NOT NULL,
	"fixed" bigint DEFAULT 0 NOT NULL,
	"not_fixed" bigint DEFAULT 0 NOT NULL,
	"worse" bigint DEFAULT 0 NOT NULL,
	"unknown" bigint DEFAULT 0 NOT NULL,
	"withheld" bigint DEFAULT 0 NOT NULL,
	"undelivered" bigint DEFAULT 0 NOT NULL,
	"held" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "gateway_days_project_id_day_pk" PRIMARY KEY("project_id","day")
);
--> statement-breakpoint
CREATE TABLE "verdict_hours" (
	"project_id" text NOT NULL,
	"hour" timestamp with time zone NOT NULL,
	"verifier_slug" text NOT NULL,
	"passed" bigint DEFAULT 0 NOT NULL,
	"failed" bigint DEFAULT 0 NOT NULL,
	"needs_review" bigint DEFAULT 0 NOT NULL,
	"steered" bigint DEFAULT 0 NOT NULL,
	"inconclusive" bigint DEFAULT 0 NOT NULL,
	"skipped" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "verdict_hours_project_id_hour_verifier_slug_pk" PRIMARY KEY("project_id","hour","verifier_slug")
);
--> statement-breakpoint
CREATE TABLE "deletions" (
	"project_id" text NOT NULL,
	"id" text NOT NULL,
	"kind" text NOT NULL,
	"target" text NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"cursor" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"counts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"fenced_at" timestamp with time zone,
	"done_at" timestamp with time zone,
	"sweep_at" timestamp with time zone,
	"leased_until" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "deletions_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "export_parts" (
	"project_id" text NOT NULL,
	"export_id" text NOT NULL,
	"ordinal" integer NOT NULL,
	"lines" bigint NOT NULL,
	"body" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "export_parts_project_id_export_id_ordinal_pk" PRIMARY KEY("project_id","export_id","ordinal")
);
--> statement-breakpoint
CREATE TABLE "retention_settings" (
	"project_id" text PRIMARY KEY NOT NULL,
	"content_days" integer,
	"record_days" integer,
	"keep_labelled" boolean DEFAULT true NOT NULL,
	"updated_by" text NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"counts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tombstones" (
	"project_id" text NOT NULL,
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"deletion_id" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tombstones_project_id_kind_key_pk" PRIMARY KEY("project_id","kind","key")
);
--> statement-breakpoint
CREATE TABLE "setup_hidden" (
	"project_id" text NOT NULL,
	"user_id" text NOT NULL,
	"hidden_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "setup_hidden_project_id_user_id_pk" PRIMARY KEY("project_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "saved_views" (
	"project_id" text NOT NULL,
	"id" text NOT NULL,
	"page" text NOT NULL,
	"name" text NOT NULL,
	"query" text NOT NULL,
	"owner_id" text NOT NULL,
	"shared" boolean NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "saved_views_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "simulated" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "alert_looks" ADD COLUMN "ended_fence" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "alert_rules" ADD COLUMN "limit_set_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "setup_hidden" ADD CONSTRAINT "setup_hidden_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "setup_hidden" ADD CONSTRAINT "setup_hidden_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deletions_pending" ON "deletions" USING btree ("leased_until") WHERE state = 'pending' or sweep_at is not null;--> statement-breakpoint
CREATE INDEX "deletions_done" ON "deletions" USING btree ("project_id","done_at");--> statement-breakpoint
CREATE INDEX "tombstones_deletion" ON "tombstones" USING btree ("project_id","deletion_id");--> statement-breakpoint
CREATE UNIQUE INDEX "saved_views_name" ON "saved_views" USING btree ("project_id","owner_id","page","name");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "labels_given" ON "labels" USING btree ("project_id","id") WHERE kind in ('override', 'abstention', 'grade');--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "deliveries_dead" ON "deliveries" USING btree ("project_id","destination_id","created_at") WHERE state = 'dead';