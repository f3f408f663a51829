CREATE TABLE "mission_settings" (
	"project_id" text NOT NULL,
	"mission_id" text NOT NULL,
	"judge" text,
	"review_above_usd" double precision,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mission_settings_project_id_mission_id_pk" PRIMARY KEY("project_id","mission_id")
);
