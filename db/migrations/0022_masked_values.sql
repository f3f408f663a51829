CREATE TABLE "masked_values" (
	"project_id" text NOT NULL,
	"day" date NOT NULL,
	"type" text NOT NULL,
	"replaced" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "masked_values_project_id_day_type_pk" PRIMARY KEY("project_id","day","type")
);
