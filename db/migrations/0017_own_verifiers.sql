CREATE TABLE "verifiers" (
	"project_id" text NOT NULL,
	"slug" text NOT NULL,
	"kind" text NOT NULL,
	"archived_at" timestamp with time zone,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "verifiers_project_id_slug_pk" PRIMARY KEY("project_id","slug")
);
