CREATE TABLE "pipelines" (
	"project_id" text NOT NULL,
	"id" text NOT NULL,
	"query" text,
	"complexity" text,
	"trace_id" text,
	"session_id" text,
	"origin" text NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "pipelines_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE INDEX "pipelines_last" ON "pipelines" USING btree ("project_id","last_at","id");--> statement-breakpoint
CREATE INDEX "subjects_pipeline" ON "subjects" USING btree ("project_id",(case when "trace_id" is null then "session_id" else "trace_id" end),"created_at") WHERE kind in ('decomposition', 'agent-output', 'synthesis');--> statement-breakpoint
CREATE INDEX "verdicts_pipeline" ON "verdicts" USING btree ("project_id",(case when "trace_id" is null then "session_id" else "trace_id" end),"created_at") WHERE kind in ('decomposition', 'agent-output', 'synthesis');--> statement-breakpoint
CREATE INDEX "verdicts_checkpoints" ON "verdicts" USING btree ("project_id","settled_at") WHERE kind in ('decomposition', 'agent-output', 'synthesis');