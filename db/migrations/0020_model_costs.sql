CREATE TABLE "model_aliases" (
	"project_id" text NOT NULL,
	"alias" text NOT NULL,
	"model" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "model_aliases_project_id_alias_pk" PRIMARY KEY("project_id","alias")
);
--> statement-breakpoint
CREATE TABLE "model_names" (
	"project_id" text NOT NULL,
	"name" text NOT NULL,
	"identity" text,
	CONSTRAINT "model_names_project_id_name_pk" PRIMARY KEY("project_id","name")
);
--> statement-breakpoint
CREATE TABLE "model_prices" (
	"project_id" text NOT NULL,
	"model" text NOT NULL,
	"valid_from" date NOT NULL,
	"input_usd" double precision NOT NULL,
	"output_usd" double precision NOT NULL,
	"cache_read_usd" double precision,
	"cache_write_usd" double precision,
	"reasoning_usd" double precision,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "model_prices_project_id_model_valid_from_pk" PRIMARY KEY("project_id","model","valid_from")
);
--> statement-breakpoint
ALTER TABLE "traces" ADD COLUMN "usage" jsonb;--> statement-breakpoint
ALTER TABLE "traces" ADD COLUMN "cost_basis" text[];--> statement-breakpoint
ALTER TABLE "turns" ADD COLUMN "usage" jsonb;--> statement-breakpoint
ALTER TABLE "turns" ADD COLUMN "cost_usd" double precision;--> statement-breakpoint
ALTER TABLE "turns" ADD COLUMN "cost_basis" text[];--> statement-breakpoint
CREATE INDEX "model_names_identity" ON "model_names" USING btree ("project_id","identity");--> statement-breakpoint
-- Names of stored rows; a worker resolves their identities.
INSERT INTO "model_names" ("project_id", "name")
SELECT "project_id", "model" FROM "verdict_rollups" WHERE "model" <> ''
UNION SELECT "project_id", "model" FROM "integrity_rollups" WHERE "model" <> ''
UNION SELECT "project_id", "model" FROM "judgement_rollups" WHERE "model" <> ''
UNION SELECT "project_id", unnest("models") FROM "traces"
UNION SELECT "project_id", "model" FROM "subjects" WHERE "model" IS NOT NULL;
