CREATE TABLE "finding_days" (
	"project_id" text NOT NULL,
	"day" date NOT NULL,
	"basis" text NOT NULL,
	"counts" jsonb NOT NULL,
	CONSTRAINT "finding_days_project_id_day_pk" PRIMARY KEY("project_id","day")
);
